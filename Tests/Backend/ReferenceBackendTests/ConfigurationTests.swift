// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Foundation
import HTTPTypes
import KioskTestKit
import NIOCore
import NIOPosix
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
    func aPublicURLThatIsNoOrigin(_ url: String) {
        let state = TemporaryFolder()
        #expect(Backend.complaint(options: ["--public-url", url], in: state).contains("--public-url"))
        // Nothing is created for invalid settings.
        #expect(!FileManager.default.fileExists(atPath: state.path))
    }

    /// The complaint has the option, or the file that it names.
    @Test(arguments: [
        ("--trusted-proxy", "proxy.example.com"), ("--trusted-proxy", "192.0.2.1/24"),
        ("--connections-per-address", "0"), ("--connections-per-address", "\(ConnectionBounds.maximum + 1)"),
        ("--database-connections", "0"), ("--database-connections", "501"), ("--drain-time", "301"),
        ("--minimum-client-version", "new"), ("--token-lifetime", "59"), ("--token-lifetime", "43201"),
        ("--refresh-token-lifetime=-1", ""), ("--refresh-token-lifetime", "2592001"), ("--browser-session", "43201"),
        ("--code-lifetime", "9"), ("--code-lifetime", "301"), ("--smtp", "http://mail.example.com"),
        ("--smtp", "smtp://u@m"), ("--smtp-from", "kiosk"), ("--public-client", "spa"),
        ("--public-client", "spa=https://app.example.com/#x"), ("--public-client", "a b=https://app.example.com"),
        ("--place", "hall"), ("--passphrase-file", "/nonexistent"), ("--listen", "0.0.0.0:0"),
        ("--smtp smtp://m --smtp-user u --smtp-password-file", "/nonexistent"),
        ("--smtp smtp://m --smtp-ca", "/nonexistent"), ("--smtp-ca", "x"), ("--tls-cert", "x"),
        ("--tls-key x --tls-cert", "/nonexistent"),
    ])
    func aMistakeIsNamedBeforeAnythingStarts(_ options: String, _ value: String) {
        let state = TemporaryFolder()
        let words = options.split(separator: " ").map(String.init)
        let complaint = Backend.complaint(options: words + (value.isEmpty ? [] : [value]), in: state)
        let option = String(options.prefix { $0 != "=" })
        let named = value == "/nonexistent" ? value : option == "--listen" ? "--public-url" : option
        #expect(complaint.contains(named), "\(complaint)")
        // The option is known, and its value arrived.
        #expect(!complaint.contains("Unknown option") && !complaint.contains("Missing value"), "\(complaint)")
        #expect(!FileManager.default.fileExists(atPath: state.path))
    }

    /// Browsers ignore a certificate's subject.
    @Test func aCertificateWithoutANameIsRefused() throws {
        let (state, files) = (TemporaryFolder(), TemporaryFolder())
        let tls = try TestCertificate.tls(in: files)
        try StateDirectory.replace(tls.certificateChainFile, content: TestCertificate.chainWithoutName())
        #expect(Backend.complaint(options: tls.options, in: state).contains("has no subjectAltName"))
        #expect(!FileManager.default.fileExists(atPath: state.path))
    }

    /// Half of a backend's state is in its memory.
    @Test func aSecondBackendOnOneDatabaseIsRefused() throws {
        let state = TemporaryFolder()
        try SharedSigningKey.put(into: state)
        let first = try Backend(options: [], in: state)
        #expect(throws: BackendError.stateInUse(path: state.path)) { try Backend(options: [], in: state) }
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
            let expected = BackendError.cannotListen(address: "127.0.0.1:\(port)", reason: "Address already in use")
            for _ in 0..<TestEffort.rounds(10) {
                let second = try Backend(options: ["--listen", "127.0.0.1:\(port)"], in: state)
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
            ("127.0.0.1", ["127.0.0.1"]), ("0.0.0.0", ["127.0.0.1"]), ("[::1]", ["::1"]),
            ("[::]", ["127.0.0.1", "::1"]), ("*", ["127.0.0.1", "::1"]),
        ])
    func everyFormOfAnAddressIsListenedOn(_ host: String, _ reached: [String]) async throws {
        guard Self.hasIPv6 || host != "[::1]" else { return }
        try await withBackend(options: ["--listen", "\(host):0", "--public-url", "http://localhost:8480"]) { backend in
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
        let backend = try Backend(
            options: ["--listen", "nosuch.invalid:1", "--public-url", "http://localhost:1"], in: state)
        let expected = BackendError.cannotListen(
            address: "nosuch.invalid:1", reason: "this machine knows no such name")
        await #expect(throws: expected) { try await backend.run() }
    }

    @Test func underHTTPSCookiesBelongToTheHost() async throws {
        try await withBackend(options: ["--public-url", "https://login.example.com"]) { backend in
            let field = try #require(HTTPField.Name("Strict-Transport-Security"))
            let page = try await backend.client.get("/")
            #expect(page.headers[field] == "max-age=31536000")
            let set = try #require(page.headers[.setCookie])
            let attributes = set.split(separator: ";").map { $0.drop { $0 == " " } }
            #expect(attributes.first?.hasPrefix("__Host-login_kiosk=") == true)
            #expect(attributes.contains("Secure") && attributes.contains("Path=/") && !set.contains("Domain"))
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let browser = try await Browser.opened(backend)
            async let final = device.logInBrowser(pin: "1234", accessCode: try await browser.accessCode())
            #expect(try await browser.waitForLogin() == "alice@example.com")
            #expect(try await final.status == 200)
            let value = String(try #require(set.split(separator: ";").first).dropFirst("__Host-".count))
            // A cookie that was set over http, without the prefix, is ignored.
            #expect(
                try await backend.client.get("/session", headers: [.cookie: value]).object.string("state") == "expired")
        }
        try await withBackend { backend in
            let page = try await backend.client.get("/")
            #expect(page.headers[try #require(HTTPField.Name("Strict-Transport-Security"))] == nil)
            #expect(page.headers[.setCookie]?.hasPrefix("login_kiosk=") == true)
        }
    }
}
