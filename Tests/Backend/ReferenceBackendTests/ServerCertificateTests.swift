// SPDX-License-Identifier: Apache-2.0

import BackendTLS
import BackendTestKit
import Foundation
import KioskTestKit
import LinuxSystem
import Logging
import Patience
import Synchronization
import Testing

@testable import BackendHTTP
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// Certificate and key that change while the backend serves.
@Suite(.timeLimit(.minutes(10))) struct ServerCertificateTests {
    private final class Ends: BackendObserver {
        let all = Mutex<[WallTime]>([])

        func checked(_ proof: CheckedProof) {}
        func certified(until end: WallTime) { all.withLock { $0.append(end) } }
    }

    private static func write(_ kind: TestCertificate.Key, to tls: Backend.TLS) throws {
        try StateDirectory.replace(tls.privateKeyFile, content: TestCertificate.privateKey(kind))
        try StateDirectory.replace(tls.certificateChainFile, content: TestCertificate.chain(kind))
    }

    /// Whether a new connection gets the certificate of that kind.
    private static func serves(_ kind: TestCertificate.Key, _ port: Int) async throws -> Bool {
        try await TLSClient(trusting: kind).isAnswered(at: port)
    }

    @Test func newFilesAreServedAndBrokenOnesAreNot() async throws {
        let files = TemporaryFolder()
        let tls = try TestCertificate.tls(in: files)
        let ends = Ends()
        try await withBackend(observer: ends, options: tls.options) { backend in
            let port = backend.addresses.publicPort
            #expect(try await Self.serves(.elliptic, port))
            // A pair of which one is written, then rubbish, then no file.
            try StateDirectory.replace(tls.certificateChainFile, content: TestCertificate.chain(.rsa))
            for _ in 0..<2 { backend.backend.readCertificate() }
            #expect(backend.log.text.contains("do not belong together"))
            try StateDirectory.replace(tls.privateKeyFile, content: Array("-----BEGIN".utf8))
            backend.backend.readCertificate()
            try FileManager.default.removeItem(atPath: tls.privateKeyFile)
            backend.backend.readCertificate()
            #expect(try await Self.serves(.elliptic, port))
            // Each of the three is told once.
            #expect(backend.log.messages(at: .error).count { $0.contains("the former ones stay in use") } == 3)
            #expect(ends.all.withLock { $0.count } == 1)
            try StateDirectory.create(tls.privateKeyFile, content: TestCertificate.privateKey(.rsa))
            backend.backend.readCertificate()
            #expect(try await Self.serves(.rsa, port))
            #expect(try await Self.serves(.elliptic, port) == false)
            #expect(ends.all.withLock { $0.count } == 2)
        }
        withExtendedLifetime(files) {}
    }

    /// The log is all that tells of it: a D-TA has no metrics.
    @Test func aDTAReadsThemAgainAndTellsTheEnd() async throws {
        let (state, files) = (TemporaryFolder(), TemporaryFolder())
        let tls = try TestCertificate.tls(in: files)
        let (clock, log) = (ManualWallClock(), LogCapture())
        let server = try AuthorityServer(1, options: tls.options, in: state, log: log, clock: clock)
        let run = Task { try await server.run() }
        defer { run.cancel() }
        let port = try #require(try await server.url.split(separator: ":").last.flatMap { Int($0) })
        #expect(try await Self.serves(.elliptic, port))
        try Self.write(.rsa, to: tls)
        server.readCertificate()
        #expect(try await Self.serves(.rsa, port))
        #expect(!log.text.contains("the certificate ends soon"))
        clock.advance(by: .seconds(200 * 365 * 86_400))
        server.readCertificate()
        #expect(log.text.contains("the certificate ends soon"))
        withExtendedLifetime((state, files)) {}
    }

    @Test func changedFilesAreNoticedAndTheEndIsTold() async throws {
        let files = TemporaryFolder()
        let tls = try TestCertificate.tls(in: files)
        let (time, clock, log) = (ManualClock(), ManualWallClock(), LogCapture())
        let certificate = try ServerCertificate(
            tls, NIOTLS.connections, time: Timekeeper(time), clock: clock, logger: log.logger)
        let run = Task { await certificate.run() }
        defer { run.cancel() }
        try Self.write(.rsa, to: tls)
        while !log.text.contains("serving with the new certificate") {
            time.advance(by: ServerCertificate.pause)
            await Task.yield()
        }
        func warnings() -> Int { log.messages(at: .warning).count { $0.contains("the certificate ends soon") } }
        #expect(warnings() == 0)
        clock.advance(by: certificate.connections.end - clock.now - ServerCertificate.warningTime + .seconds(1))
        for _ in 0..<3 { certificate.look() }
        #expect(warnings() == 1)
        time.advance(by: .seconds(86_400))
        certificate.look()
        #expect(warnings() == 2)
        withExtendedLifetime(files) {}
    }
}
