// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// Two or three services on one trust list. None can lead the client to another by naming it in a reply.
@Suite struct NamedHostTests {
    static let other = "https://other.test"

    /// `/service`, and the backend that the operator allows it.
    @Test(arguments: [
        (["login.test", "rps.test"], false), (["login.test -> other.test", "rps.test"], false),
        (["login.test", "rps.test -> login.test"], false), (["login.test -> rps.test", "rps.test"], true),
        (["login.test -> rps.test"], true),
    ]) func aServiceNamesItsOwnBackend(_ lines: [String], isAllowed: Bool) async throws {
        let device = try Device(ScriptedServer(), trust: Self.trust(lines))
        try await device.mpin.initialize()
        let login = try WebAddress("https://login.test")
        guard isAllowed else {
            let error = await expect(.untrustedDomainError, .untrustedHost(.anotherService)) {
                try await device.mpin.serviceDetails(at: login)
            }
            #expect(error?.detail.contains("trust `login.test -> rps.test`") == true)
            #expect(device.transport.requests.allSatisfy { $0.url.origin.host == "login.test" })
            return
        }
        let details = try await device.mpin.serviceDetails(at: login)
        #expect(details.namedBy == login.origin)
        try await device.mpin.setBackend(details.backendURL, rpsPrefix: details.rpsPrefix, namedBy: details.namedBy)
    }

    /// A host that is only delegated to is a backend for that service and for no other.
    @Test func aDelegatedBackendIsNoServiceOfItsOwn() async throws {
        let device = try Device(
            ScriptedServer(), trust: Self.trust(["login.test -> rps.test", "other.test"]))
        try await device.mpin.initialize()
        let backend = try WebAddress("https://rps.test")
        for (namer, refusal) in [(nil, TrustPolicy.Refusal.notListed), (Self.other, .anotherService)] {
            let origin = try namer.map { try WebAddress($0).origin }
            await expect(.untrustedDomainError, .untrustedHost(refusal)) {
                try await device.mpin.setBackend(backend, namedBy: origin)
            }
        }
        #expect(device.transport.requests.isEmpty)
    }

    @Test func aLogoutIsTheServicesOwn() async throws {
        let (device, user) = try await Device.with(.registered)
        device.transport.on(
            .post, "/rps/authenticate", .json(#"{"logoutURL":"https://other.test/bye","logoutData":{}}"#))
        try await device.logIn(user)
        await expect(.untrustedDomainError, .untrustedHost(.anotherService)) { try await device.mpin.logout(user) }
        #expect(!device.transport.requests.contains { $0.url.origin.host == "other.test" })
    }

    /// An application may neither begin a login at another service nor use another's session as its own.
    @Test func anApplicationsSessionIsItsBackends() async throws {
        let transport = FakeTransport(clock: ManualClock())
        transport.on(.post, "/authzurl", .json(#"{"authorizeURL":"https://other.test/authorize"}"#))
        let application = RelyingPartyApplication(
            at: try WebAddress("https://login.test"), transport: transport, trust: Device.trust(),
            clock: ManualClock(), logger: LogCapture().logger)
        await expect(.untrustedDomainError, .untrustedHost(.anotherService)) {
            try await application.authorizationURL()
        }

        let device = try await Device().ready()
        device.transport.forgetRequests()
        await expect(.untrustedDomainError, .untrustedHost(.anotherService)) {
            try await device.mpin.accessCode(fromAuthorizationURL: try WebAddress(Self.other))
        }
        #expect(device.transport.requests.isEmpty)
    }

    /// The code of a mail is sent only to the service of its link.
    @Test func aMailsCodeIsItsServices() async throws {
        let device = try await Device().ready()
        for (host, refusal) in [
            ("rps.test", nil), ("login.test", nil), ("dta.test", nil),
            ("other.test", TrustPolicy.Refusal.anotherService),
            ("evil.test", .notListed),
        ] {
            let text = Array("https://\(host)/confirm?user_id=alice@example.com&code=abc".utf8)
            guard let link = VerificationLink(symbol: text.span) else {
                Issue.record("\(host)")
                continue
            }
            do throws(MPinError) {
                let code = try await device.mpin.code(of: link)
                #expect(code == SecretBytes(copying: "abc".utf8) && refusal == nil, "\(host)")
            } catch {
                let kind = refusal.map { MPinError.Kind.untrustedHost($0) }
                #expect(error.kind == kind && error.status == .untrustedDomainError, "\(host)")
            }
        }
    }

    private static func trust(_ lines: [String]) throws -> TrustPolicy {
        TrustPolicy(lines: try lines.map { try TrustLine($0) })
    }
}
