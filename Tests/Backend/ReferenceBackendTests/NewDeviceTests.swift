// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import MPinCrypto
import Patience
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// With a PIN seen once, a thief makes a code for another device and so a second identity. Its owner is told, and
/// ends it.
@Suite struct NewDeviceTests {
    private static let user = Device.userID
    private static let dialects: [Dialect] = [.mfaV2, .trust2023, .trust2025]

    /// The owner's device, the one that a stranger registered with its code, and the link in the mail.
    private struct Theft {
        let own: Device
        let stolen: Device
        let mail: JSONObject
        /// The path below the endpoint.
        let path: String
        let endpoint: RunningBackend

        /// Whether a login can begin.
        func isAlive(_ device: Device) async throws -> Bool { try await device.passOne().status == 200 }
    }

    private static func withTheft(
        _ dialect: Dialect, observer: WatchedBackend = WatchedBackend(),
        _ body: @escaping @Sendable (Theft) async throws -> Void
    ) async throws {
        try await withBackend(observer: observer, options: ["--company-id", Device.companyID]) { backend in
            let endpoint = try backend.identified(as: Device.companyID).below("/" + dialect.rawValue)
            let own = try await Device.registered(dialect, at: endpoint)
            // The owner's other device. A second mail takes a while.
            endpoint.clock.advance(by: .seconds(11))
            _ = try await Device.registered(dialect, at: endpoint)
            let before = try await backend.mails().count
            let code = try #require(try await own.authenticate(scope: "reg-code").object.string("otp"))
            let stolen = try await Device.registered(dialect, pin: "9876", code: code, at: endpoint)
            let mails = try await backend.mails()
            #expect(mails.count == before + 1)
            let mail = try #require(mails.first)
            let link = try await backend.page(of: mail)
            try #require(link.hasPrefix(endpoint.url + "/revoke?"))
            try await body(
                Theft(
                    own: own, stolen: stolen, mail: mail, path: String(link.dropFirst(endpoint.url.count)),
                    endpoint: endpoint))
        }
    }

    private static func press(_ theft: Theft, all: Bool = false, origin: String? = nil) async throws -> Reply {
        let query = try #require(theft.path.split(separator: "?").last)
        return try await theft.endpoint.client.send(
            .post, "/revoke", body: Array((query + (all ? "&all=1" : "")).utf8),
            headers: [
                .contentType: "application/x-www-form-urlencoded",
                .origin: origin ?? theft.endpoint.addresses.publicURL,
            ])
    }

    @Test(arguments: dialects)
    func theOwnerEndsIt(_ dialect: Dialect) async throws {
        let observer = WatchedBackend()
        try await Self.withTheft(dialect, observer: observer) { theft in
            #expect(theft.mail.string("to") == Self.user)
            #expect(theft.mail.string("text")?.contains("Other devices that are registered for you: 2.") == true)
            #expect(try await theft.isAlive(theft.stolen))
            // The operator sees which of them it is.
            let users = try await BackendState(directory: theft.endpoint.state.path, clock: theft.endpoint.clock)
                .users()
            #expect(users.count == 3 && users.filter(\.isByCode).count == 1)
            // A program that opens links in mails changes nothing, and neither does another site.
            let page = try await theft.endpoint.client.get(theft.path)
            #expect(page.status == 200 && page.text.contains("Remove the new device"))
            #expect(try await Self.press(theft, origin: "https://evil.example.com").status == 403)
            #expect(try await theft.isAlive(theft.stolen))

            #expect(try await Self.press(theft).text.contains("Removed devices: 1."))
            #expect(try await !theft.isAlive(theft.stolen))
            #expect(try await theft.isAlive(theft.own))
            #expect(observer.revoked == [Self.user])
            // Only once.
            #expect(try await Self.press(theft, all: true).status == 400)
            #expect(try await theft.isAlive(theft.own))
        }
    }

    @Test func theOwnerEndsAllOfThem() async throws {
        try await Self.withTheft(.trust2025) { theft in
            let page = try await Self.press(theft, all: true)
            #expect(page.text.contains("Removed devices: 3."))
            #expect(try await !theft.isAlive(theft.stolen))
            #expect(try await !theft.isAlive(theft.own))
        }
    }

    /// An identity made by another, such as a renewed one, is ended with it.
    @Test func whatItHasMadeMeanwhileEndsToo() async throws {
        try await Self.withTheft(.mfaV2) { theft in
            let state = try BackendState(directory: theft.endpoint.state.path, clock: theft.endpoint.clock)
            #expect(try await state.renew(userID: Self.user, fingerprint: theft.stolen.mpinID.fingerprint) == 1)
            let reply = try await theft.stolen.logIn(pin: "9876")
            #expect(reply.object.object("renewSecret") != nil)
            let before = try await state.users().filter { $0.status == .registered }.count
            #expect(try await Self.press(theft).text.contains("Removed devices: 2."))
            #expect(try await state.users().filter { $0.status == .registered }.count == before - 2)
        }
    }

    @Test func aLinkThatIsOldOrForgedEndsNothing() async throws {
        try await Self.withTheft(.trust2025) { theft in
            let forged = theft.path.replacing("s=", with: "s=0").prefix(theft.path.utf8.count)
            for path in ["/revoke", String(forged), theft.path.replacing("&e=", with: "&e=9")] {
                #expect(try await theft.endpoint.client.get(path).status == 400, "\(path)")
            }
            theft.endpoint.clock.advance(by: RevocationLink.lifetime)
            let late = try await theft.endpoint.client.get(theft.path)
            #expect(late.status == 400)
            #expect(try await Self.press(theft).status == 400)
            #expect(try await theft.isAlive(theft.stolen))
        }
    }

    /// A registration by mail sends no notice to its owner.
    @Test(arguments: dialects)
    func aRegistrationByMailIsNotTold(_ dialect: Dialect) async throws {
        try await Device.withEndpoint(dialect) { endpoint in
            _ = try await Device.registered(dialect, at: endpoint)
            #expect(try await endpoint.mails().count == 1)
        }
    }
}
