// SPDX-License-Identifier: Apache-2.0

import BackendTLS
import BackendTestKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import KioskTestKit
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import Patience
import Testing

@testable import BackendDatabases
@testable import BackendHTTP
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

@Suite struct ConfigurationTests {
    @Test(arguments: [
        "login.example.com", "ftp://login.example.com", "https://", "https://login.example.com/path",
        "https://login.example.com?x", "https://login.example.com#x", "https://bücher.example",
        "https://my_host.example.com", "https://login.example.com.", "https://-a.example.com", "https://a..example.com",
        "https://user@login.example.com", "",
    ])
    func aPublicURLThatIsNoOrigin(_ url: String) throws {
        let state = TemporaryFolder()
        let configuration = Backend.Configuration(stateDirectory: state.path, publicURL: url)
        #expect(throws: BackendError.self) { try Backend(configuration: configuration, logger: LogCapture().logger) }
        // Nothing is created for invalid settings.
        #expect(!FileManager.default.fileExists(atPath: state.path))
    }

    @Test func mistakesAreNamedBeforeAnythingStarts() throws {
        let state = TemporaryFolder()
        let mistakes: [(inout Backend.Configuration) -> Void] = [
            { $0.listenHost = "0.0.0.0" },
            { $0.trustedProxies = ["proxy.example.com"] },
            { $0.trustedProxies = ["192.0.2.1/24"] },
            { $0.connectionsPerAddress = 0 },
            { $0.connectionsPerAddress = ConnectionBounds.maximum + 1 },
            { $0.minimumClientVersion = "new" },
            { $0.tokenLifetime = .seconds(59) },
            { $0.tokenLifetime = .seconds(43201) },
            { $0.refreshTokenLifetime = .seconds(-1) },
            { $0.browserSessionLifetime = .seconds(43201) },
            { $0.refreshTokenLifetime = .seconds(2_592_001) },
            { $0.mail = Backend.Mail(url: "http://mail.example.com", sender: "kiosk@example.com") },
            { $0.mail = Backend.Mail(url: "smtp://mail.example.com", sender: "kiosk") },
            { $0.mail = Backend.Mail(url: "smtp://m", sender: "a@b", userName: "u", passwordFile: "/nonexistent") },
            { $0.mail = Backend.Mail(url: "smtp://u@m", sender: "a@b") },
            { $0.mail = Backend.Mail(url: "smtp://m", sender: "a@b", certificatesFile: "/nonexistent") },
            {
                $0.tls = Backend.TLS(
                    certificateChainFile: "/nonexistent", privateKeyFile: "/nonexistent", library: NIOTLS.connections)
            },
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

    /// Browsers ignore a certificate's subject.
    @Test func aCertificateWithoutANameIsRefused() throws {
        let (state, files) = (TemporaryFolder(), TemporaryFolder())
        var configuration = Backend.Configuration(stateDirectory: state.path)
        let tls = try TestCertificate.tls(in: files)
        configuration.tls = tls
        try StateDirectory.replace(tls.certificateChainFile, content: Array(TestCertificate.chainWithoutName.utf8))
        let error = #expect(throws: BackendError.self) {
            try Backend(configuration: configuration, logger: LogCapture().logger)
        }
        #expect(error.map { "\($0)" }?.contains("has no subjectAltName") == true)
        #expect(!FileManager.default.fileExists(atPath: state.path))
    }

    /// Half of a backend's state is in its memory.
    @Test func aSecondBackendOnOneDatabaseIsRefused() throws {
        let state = TemporaryFolder()
        try SharedSigningKey.put(into: state)
        let configuration = Backend.Configuration(stateDirectory: state.path)
        let first = try Backend(configuration: configuration, logger: LogCapture().logger)
        #expect(throws: BackendError.stateInUse(path: state.path)) {
            try Backend(configuration: configuration, logger: LogCapture().logger)
        }
        // Operators' commands still work.
        _ = try BackendState(directory: state.path, clock: ManualWallClock())
        withExtendedLifetime(first) {}
    }

    /// `run()` and the wait for the addresses always throw the same error, in any order.
    @Test func aTakenPortEndsTheRun() async throws {
        try await withBackend { first in
            let state = TemporaryFolder()
            try SharedSigningKey.put(into: state)
            let port = first.addresses.publicPort
            let configuration = Backend.Configuration(stateDirectory: state.path, listenPort: port)
            let expected = BackendError.cannotListen(address: "127.0.0.1:\(port)", reason: "Address already in use")
            for _ in 0..<TestEffort.rounds(10) {
                let second = try Backend(configuration: configuration, logger: LogCapture().logger)
                let waiting = Task { try await second.addresses }
                await #expect(throws: expected) { try await second.run() }
                await #expect(throws: expected) { _ = try await waiting.value }
            }
        }
    }

    private static let hasIPv6 = FileManager.default.fileExists(atPath: "/proc/net/if_inet6")

    /// The forms of an address, and the loopback addresses at which each is reachable.
    @Test(
        arguments: [
            ("127.0.0.1", ["127.0.0.1"]), ("0.0.0.0", ["127.0.0.1"]), ("::1", ["::1"]), ("::", ["127.0.0.1", "::1"]),
        ])
    func everyFormOfAnAddressIsListenedOn(_ host: String, _ reached: [String]) async throws {
        guard Self.hasIPv6 || host != "::1" else { return }
        try await withBackend(configure: {
            $0.listenHost = host
            $0.publicURL = "http://localhost:8480"
        }) { backend in
            for address in Self.hasIPv6 ? reached : reached.filter({ $0 != "::1" }) {
                let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .connect(host: address, port: backend.addresses.publicPort).get()
                try await channel.close()
            }
        }
    }

    @Test func aNameThatDoesNotResolveEndsTheRun() async throws {
        let state = TemporaryFolder()
        try SharedSigningKey.put(into: state)
        let configuration = Backend.Configuration(
            stateDirectory: state.path, listenHost: "nosuch.invalid", listenPort: 1, publicURL: "http://localhost:1")
        let backend = try Backend(configuration: configuration, logger: LogCapture().logger)
        let expected = BackendError.cannotListen(
            address: "nosuch.invalid:1", reason: "this machine knows no such name")
        await #expect(throws: expected) { try await backend.run() }
    }

    @Test func underHTTPSCookiesBelongToTheHost() async throws {
        try await withBackend(configure: { $0.publicURL = "https://login.example.com" }) { backend in
            let field = try #require(HTTPField.Name("Strict-Transport-Security"))
            let page = try await backend.client.get("/")
            #expect(page.headers[field] == "max-age=31536000")
            let set = try #require(page.headers[.setCookie])
            let attributes = set.split(separator: ";").map { $0.drop { $0 == " " } }
            #expect(attributes.first?.hasPrefix("__Host-login_kiosk=") == true)
            #expect(attributes.contains("Secure") && attributes.contains("Path=/") && !set.contains("Domain"))
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let browser = Browser(backend)
            _ = try await browser.get("/")
            async let final = device.logInBrowser(pin: "1234", accessCode: try await browser.accessCode())
            #expect(try await browser.waitForLogin() == "alice@example.com")
            #expect(try await final.status == 200)
            let value = String(try #require(set.split(separator: ";").first).dropFirst("__Host-".count))
            // A cookie that was set over http, without the prefix, does not count.
            #expect(
                try await backend.client.get("/session", headers: [.cookie: value]).object.string("state") == "expired")
        }
        try await withBackend { backend in
            let page = try await backend.client.get("/")
            #expect(page.headers[try #require(HTTPField.Name("Strict-Transport-Security"))] == nil)
            #expect(page.headers[.setCookie]?.hasPrefix("login_kiosk=") == true)
        }
    }

    @Test func theSiteSpeaksTLS() async throws {
        let files = TemporaryFolder()
        let tls = try TestCertificate.tls(in: files)
        try await withBackend(configure: { $0.tls = tls }) { backend in
            #expect(backend.addresses.publicURL == "https://127.0.0.1:\(backend.addresses.publicPort)")
            var client = TLSConfiguration.makeClientConfiguration()
            client.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(TestCertificate.chain.utf8)))
            let page = try await TestClient.withClient(
                host: "127.0.0.1", port: backend.addresses.publicPort,
                configuration: .init(tlsConfiguration: client, serverName: "localhost")
            ) { client in
                try await client.execute(
                    TestClient.Request(
                        "/service", method: .get, authority: "localhost:\(backend.addresses.publicPort)", headers: [:],
                        body: nil))
            }
            #expect(page.status.code == 200)
            _ = files.path
        }
    }
}
