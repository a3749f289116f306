// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import MPinCrypto
import Patience
import Synchronization
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The costs of a login: calls of the storage, each of which is a transaction.
@Suite struct StorageCallTests {
    /// From the scanned code to the page that says who is logged in.
    @Test(arguments: Dialect.allCases) func ofALoginByQRCode(_ dialect: Dialect) async throws {
        let state = TemporaryFolder()
        let calls = Calls()
        var storage = try BackendStorage.embedded(in: try StateDirectory(path: state.path))
        storage.durable = CountedDurable(inner: storage.durable, calls: calls)
        storage.volatile = WatchedTables(inner: storage.volatile, after: { calls.add($0) })
        try await Device.withEndpoint(dialect, on: storage, in: state) { endpoint in
            let device = try await Device.registered(dialect, at: endpoint)
            let browser = try await Browser.opened(endpoint)
            let code = try await browser.anyCode(below: endpoint.base)
            _ = calls.take()
            try await endpoint.report("wid", code, dialect)
            let last = try await device.passes(accessCode: code)
            let before = calls.take()
            // The page asks when it hears that the PIN was right.
            let sessions = dialect.platformGeneration == nil ? "\(dialect.rawValue)/sessions" : "platform/sessions"
            async let status = device.finish(last).status
            try await Patience.until { calls.all.contains("change \(sessions)") }
            while try await browser.session()[0] != "authenticated" {}
            #expect(try await status == 200)
            let all = before + calls.take()
            let most = dialect.platformGeneration != nil ? 13 : dialect.usesTimePermits ? 16 : 15
            #expect(all.count <= most, "\(dialect): \(all)")
        }
    }
}

private final class Calls: Sendable {
    private let names = Mutex<[String]>([])

    var all: [String] { names.withLock { $0 } }

    func add(_ name: String) { names.withLock { $0.append(name) } }

    func take() -> [String] {
        names.withLock { names in
            defer { names = [] }
            return names
        }
    }
}

private struct CountedDurable: DurableStorage {
    let inner: any DurableStorage
    let calls: Calls

    private func counted(_ name: String) -> any DurableStorage {
        calls.add(name)
        return inner
    }

    func belongs(toServerSecret digest: [UInt8]) async throws(StorageError) -> Bool {
        try await inner.belongs(toServerSecret: digest)
    }

    func identity(_ mpinID: MPinID) async throws(StorageError) -> RegisteredIdentity? {
        try await counted("identity").identity(mpinID)
    }

    func identities(_ selection: IdentitySelection?) async throws(StorageError) -> [RegisteredIdentity] {
        try await counted("identities").identities(selection)
    }

    func add(_ identity: RegisteredIdentity) async throws(StorageError) {
        try await counted("add identity").add(identity)
    }

    func change<Value: Sendable>(
        _ mpinID: MPinID, isOnDisk: Bool, _ body: @escaping @Sendable (inout RegisteredIdentity) -> Value
    ) async throws(StorageError) -> Value? {
        try await counted("change identity").change(mpinID, isOnDisk: isOnDisk, body)
    }

    func registration(of mpinID: MPinID, now: WallTime) async throws(StorageError) -> Registration? {
        try await counted("registration").registration(of: mpinID, now: now)
    }

    func registrations(now: WallTime) async throws(StorageError) -> [Registration] {
        try await counted("registrations").registrations(now: now)
    }

    func add(_ registration: Registration, now: WallTime) async throws(StorageError) -> Bool {
        try await counted("add registration").add(registration, now: now)
    }

    func change(
        registrationOf mpinID: MPinID, now: WallTime, _ body: @escaping @Sendable (inout Registration) -> Void
    ) async throws(StorageError) -> Registration? {
        try await counted("change registration").change(registrationOf: mpinID, now: now, body)
    }

    func finishRegistration(as identity: RegisteredIdentity, now: WallTime) async throws(StorageError) -> Bool {
        try await counted("finish registration").finishRegistration(as: identity, now: now)
    }

    func erase(userID: String) async throws(StorageError) -> ErasedUser { try await inner.erase(userID: userID) }

    func application(_ id: String) async throws(StorageError) -> RegisteredApplication? {
        try await counted("application").application(id)
    }

    func applications() async throws(StorageError) -> [RegisteredApplication] { try await inner.applications() }

    func add(_ application: RegisteredApplication) async throws(StorageError) -> Bool {
        try await inner.add(application)
    }

    func removeApplication(_ id: String) async throws(StorageError) -> Bool { try await inner.removeApplication(id) }

    func replaceSecret(ofApplication id: String, with digest: [UInt8]) async throws(StorageError) -> Bool {
        try await inner.replaceSecret(ofApplication: id, with: digest)
    }

    func add(_ link: MailedLink, upTo capacity: Int, now: WallTime) async throws(StorageError) -> Bool {
        try await counted("add link").add(link, upTo: capacity, now: now)
    }

    func mailedLink(_ digest: [UInt8], now: WallTime) async throws(StorageError) -> MailedLink? {
        try await counted("link").mailedLink(digest, now: now)
    }
}
