// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import CurlTransport
import Foundation
import Glibc
import KioskTestKit
import LoginValues
import MPinClient
import Patience
import SQLiteStore
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// A device changes its PIN back and forth until it is killed at any moment. Then exactly one of the two PINs works:
/// the last one reported, unless another change was under way.
@Suite struct ChangePINKillTests {
    private static let variable = "LOGIN_KIOSK_TEST_CHANGE"
    private static let isChild = ProcessInfo.processInfo.environment[variable] != nil
    private static let pins = ["1234", "4321"]

    /// Number of kills, distributed over the dialects.
    private static var kills: Int { TestEffort.rounds(16) }

    /// Runs only in the child process, and prints each step.
    @Test(.enabled(if: isChild, "is the child of another test")) func childThatChangesItsPIN() async throws {
        let words = try #require(ProcessInfo.processInfo.environment[Self.variable]).split(separator: "\n")
        let (root, url, first) = (String(words[0]), String(words[1]), String(words[2]))
        let transport = TellingTransport(
            try CurlHTTPTransport(
                CurlHTTPTransport.Configuration(addressPolicy: AddressPolicy(allowed: [.loopback]))))
        let mpin = MPin(
            transport: transport, storage: try await Self.opened(root),
            trust: TrustPolicy(
                lines: [try TrustLine(String(url.dropFirst("http://".count)))], allowsLoopbackHTTP: true),
            configuration: MPin.Configuration(companyID: "our-company", clientVersion: "1.0"),
            logger: LogCapture().logger)
        try await mpin.initialize()
        try await mpin.setBackend(try WebAddress(url))
        let user = try #require(try await mpin.users().first)
        var pins = first == Self.pins[0] ? Self.pins : Self.pins.reversed()
        while true {
            try await mpin.startAuthentication(of: user)
            tell("changing to \(pins[1])")
            _ = try await mpin.changePIN(of: user, from: newPIN(pins[0]), to: newPIN(pins[1]))
            tell("changed to \(pins[1])")
            pins.swapAt(0, 1)
        }
    }

    @Test(.enabled(if: !isChild), arguments: [Dialect.milagro, .trust2025])
    func leaveOnePINThatWorks(_ dialect: Dialect) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "kiosk-pin-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.register()
            do {
                let store = try SQLiteIdentityStorage(at: Self.location(root))
                for identity in try await kiosk.storage.identities() { try await store.save(identity) }
            }
            var random = SplitMix64(seed: 20_261_122)
            var working = Self.pins[0]
            var (cutOff, changed) = (0, 0)
            for round in 0..<(Self.kills / 2) {
                let told = try Self.killed(
                    root, kiosk.backend.addresses.publicURL, working, after: Int(random.next() % 3),
                    random.next() % 4, delay: UInt32(random.next() % 12_000))
                let found = try await Self.workingPIN(kiosk, root, user, "round \(round): \(told)")
                let known = told.last ?? working
                if told.isCutOff { cutOff += 1 }
                if found != known { changed += 1 }
                #expect(told.isCutOff || found == known, "round \(round): \(told)")
                working = found
            }
            #expect(cutOff > 0, "no kill came between the server's word and the person's")
            // Among this many kills some hit before the commit and some after it.
            if Self.kills >= 300 { #expect(changed > 0 && changed < cutOff) }
        }
    }

    /// Opens the store once the previous process has released it.
    private static func opened(_ root: String) async throws -> SQLiteIdentityStorage {
        while true {
            do throws(StoreOpeningError) { return try SQLiteIdentityStorage(at: location(root)) } catch {
                guard error.code == .inUse else { throw error }
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private static func location(_ root: String) -> StoreLocation {
        StoreLocation(directory: "\(root)/state", keyFile: "\(root)/keys/store.key")
    }

    /// The output of a child until it was killed.
    private struct Told: CustomStringConvertible {
        /// The last PIN reported to work; nil for none.
        var last: String?
        /// Whether another change was under way.
        var isCutOff = false
        var description: String { "last told \(last ?? "nothing"), cut off \(isCutOff)" }
    }

    /// Starts a child and kills it.
    ///
    /// - Parameters:
    ///   - changes: number of complete changes before.
    ///   - step: the step of the next change at which the delay begins: 0 is its start, 1 the first reply, 2 and 3
    ///     the verdict.
    ///   - delay: microseconds.
    private static func killed(
        _ root: String, _ url: String, _ pin: String, after changes: Int, _ step: UInt64, delay: UInt32
    ) throws -> Told {
        var environment = ProcessInfo.processInfo.environment
        environment[variable] = "\(root)\n\(url)\n\(pin)"
        let child = try ChildProcess(
            "/proc/self/exe", ["--testing-library", "swift-testing", "--filter", "childThatChangesItsPIN"],
            environment: environment.map { "\($0.key)=\($0.value)" })
        var told = Told()
        var (ended, replies) = (0, 0)
        func note(_ line: String) {
            if line.hasPrefix("changed to ") {
                told = Told(last: String(line.dropFirst("changed to ".count)))
                ended += 1
            } else if line.hasPrefix("changing to ") {
                told.isCutOff = true
                replies = 0
            } else if line == "reply" {
                replies += 1
            }
        }
        let wanted = step == 0 ? 0 : step == 1 ? 1 : 3
        while !(ended >= changes && told.isCutOff && replies >= wanted) {
            guard let line = child.readLine() else {
                Issue.record("the child ended by itself: \(child.wait())")
                return told
            }
            note(line)
        }
        usleep(delay)
        child.kill()
        while let line = child.readLine() { note(line) }
        return told
    }

    /// Tries both PINs with the stored identity.
    ///
    /// - Returns: the one that works.
    private static func workingPIN(
        _ kiosk: OwnClient, _ root: String, _ user: User, _ when: String
    ) async throws -> String {
        let store = try SQLiteIdentityStorage(at: location(root), .reading)
        #expect(store.health.isGood, "\(when)")
        let mpin = MPin(
            transport: kiosk.network, storage: InMemoryStorage(try await store.identities()), trust: kiosk.trust,
            configuration: MPin.Configuration(companyID: kiosk.companyID, clientVersion: "1.0"),
            logger: kiosk.backend.log.logger)
        try await mpin.initialize()
        try await mpin.setBackend(try WebAddress(kiosk.backend.addresses.publicURL))
        var working: [String] = []
        for pin in pins {
            // Interrupted logins count for a while.
            kiosk.backend.clock.advance(by: .seconds(60))
            try await mpin.startAuthentication(of: user)
            do {
                if kiosk.dialect.isTrust {
                    _ = try await mpin.finishAuthenticationJWT(of: user, pin: newPIN(pin))
                } else {
                    _ = try await mpin.finishAuthentication(of: user, pin: newPIN(pin))
                }
                working.append(pin)
            } catch let error as MPinError {
                #expect(error.status == .incorrectPIN, "\(when): \(error)")
            }
        }
        // After a wrong PIN the server delays the next one.
        kiosk.backend.clock.advance(by: .seconds(60))
        #expect(working.count == 1, "\(when): \(working) work")
        return try #require(working.first)
    }
}

/// Prints when a reply has come.
private struct TellingTransport: HTTPTransport {
    let inner: CurlHTTPTransport

    init(_ inner: CurlHTTPTransport) { self.inner = inner }

    var checksPins: Bool { inner.checksPins }

    func distrustConnections(to origin: Origin) { inner.distrustConnections(to: origin) }

    func send(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse {
        let response = try await inner.send(request)
        tell("reply")
        return response
    }
}

private func tell(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
