// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTLS
import HummingbirdTesting
import Logging
import Testing

@testable import ReferenceBackend

@Suite struct ConfigurationTests {
    @Test(arguments: [
        "login.example.com", "ftp://login.example.com", "https://", "https://login.example.com/path",
        "https://login.example.com?x", "https://login.example.com#x", "https://user@login.example.com", "",
    ])
    func aPublicURLThatIsNoOrigin(_ url: String) throws {
        let state = TemporaryFolder()
        let configuration = Backend.Configuration(stateDirectory: state.path, publicURL: url)
        #expect(throws: BackendError.self) { try Backend(configuration: configuration, logger: LogCapture().logger) }
        // Nothing was made for a configuration that cannot work.
        #expect(!FileManager.default.fileExists(atPath: state.path))
    }

    @Test func mistakesAreNamedBeforeAnythingStarts() throws {
        let state = TemporaryFolder()
        let mistakes: [(inout Backend.Configuration) -> Void] = [
            { $0.listenHost = "0.0.0.0" },
            { $0.minimumClientVersion = "new" },
            { $0.mail = Backend.Mail(url: "http://mail.example.com", sender: "kiosk@example.com") },
            { $0.mail = Backend.Mail(url: "smtp://mail.example.com", sender: "kiosk") },
            { $0.mail = Backend.Mail(url: "smtp://m", sender: "a@b", userName: "u", passwordFile: "/nonexistent") },
            { $0.tls = Backend.TLS(certificateChainFile: "/nonexistent", privateKeyFile: "/nonexistent") },
            { $0.passphraseFile = "/nonexistent" },
        ]
        for mistake in mistakes {
            var configuration = Backend.Configuration(stateDirectory: state.path)
            mistake(&configuration)
            #expect(throws: BackendError.self) {
                try Backend(configuration: configuration, logger: LogCapture().logger)
            }
        }
        #expect(!FileManager.default.fileExists(atPath: state.path))
    }

    @Test func aTakenPortEndsTheRun() async throws {
        try await withBackend { first in
            let state = TemporaryFolder()
            let configuration = Backend.Configuration(
                stateDirectory: state.path, listenPort: first.addresses.publicPort)
            let second = try Backend(configuration: configuration, logger: LogCapture().logger)
            let waiting = Task { try await second.addresses }
            await #expect(throws: (any Error).self) { try await second.run() }
            await #expect(throws: BackendError.notRunning) { _ = try await waiting.value }
        }
    }

    @Test func theSiteSpeaksTLS() async throws {
        let files = TemporaryFolder()
        let directory = try StateDirectory(path: files.path)
        try StateDirectory.create(directory.file("chain.pem"), content: Array(TestCertificate.chain.utf8))
        try StateDirectory.create(directory.file("key.pem"), content: Array(TestCertificate.privateKey.utf8))
        let tls = Backend.TLS(
            certificateChainFile: directory.file("chain.pem"), privateKeyFile: directory.file("key.pem"))
        try await withBackend(configure: { $0.tls = tls }) { backend in
            #expect(backend.addresses.publicURL == "https://127.0.0.1:\(backend.addresses.publicPort)")
            var client = TLSConfiguration.makeClientConfiguration()
            client.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(TestCertificate.chain.utf8)))
            let page = try await TestClient.withClient(
                host: "127.0.0.1", port: backend.addresses.publicPort,
                configuration: .init(tlsConfiguration: client, serverName: "localhost")
            ) { client in
                try await client.get("/service")
            }
            #expect(page.status.code == 200)
            _ = files.path
        }
    }
}
