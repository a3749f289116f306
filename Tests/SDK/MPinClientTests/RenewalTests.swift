// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// The issuers changed their secrets. A login brings a new secret once, and no failure locks anybody out.
@Suite struct RenewalTests {
    @Test(arguments: DialectName.later) func takesANewSecret(_ generation: DialectName) async throws {
        let (device, user) = try await Device.with(.registered, generation)
        rotate(device)
        try await device.logIn(user)
        let renewed = try #require(try await device.mpin.user(user.key))
        #expect(renewed.mpinID != user.mpinID && renewed.state == .registered && renewed.pinLength == 4)
        let middle: [String] =
            switch generation {
            case .trust2025: ["/registration", "/dta/1/1", "/dta/2/1"]
            case .trust2023: ["/rps/v2/dvsregister", "/dta/2/1"]
            default: ["/dta/2/1"]
            }
        let login = ["/rps/v2/pass1", "/rps/v2/pass2", "/rps/v2/authenticate"]
        #expect(device.paths == ["/rps/v2/codeStatus"] + login + middle + login)
        // The second login has the same session and purpose, with the new identity.
        let bodies = device.transport.requests.compactMap { object($0) }
        let pass1 = bodies.filter { $0["scope"] != nil }
        #expect(pass1.map { $0["scope"] as? [String] } == [["oidc"], ["oidc"]])
        #expect(pass1.map { $0["mpin_id"] as? String } == [user.mpinID, renewed.mpinID])
        #expect(bodies.filter { $0["WID"] != nil }.allSatisfy { $0["WID"] as? String == text(accessCode) })
        // The new secret is stored and used by the next login, which brings no other.
        let next = try await device.next()
        try await next.logIn(renewed)
        #expect(next.paths.count == 4)
    }

    @Test func writesTheRegistrationOfANewKey() async throws {
        let (device, user) = try await Device.with(.registered, .trust2025)
        rotate(device)
        try await device.logIn(user)
        let request = try #require(device.transport.requests.first { $0.url.path == "/registration" })
        let sent = try #require(request.body.map(text))
        #expect(
            sent.wholeMatch(
                of:
                    #/\{"userId":"alice@example.com","deviceName":"kiosk","activationToken":"key-token-\d+","publicKey":"[0-9a-f]{256}"\}/#
            )
                != nil, "\(sent)")
        let (before, other) = try await Device.with(.registered, .trust2023)
        rotate(before)
        try await before.logIn(other)
        let key = try #require(before.transport.requests.first { $0.url.path == "/rps/v2/dvsregister" }?.body.map(text))
        #expect(
            key.wholeMatch(
                of: #/\{"publicKey":"[0-9a-f]{256}","deviceName":"kiosk","dvsRegisterToken":"key-token-\d+"\}/#) != nil)
    }

    /// The server keeps asking: there is one renewal per login.
    @Test(arguments: DialectName.later) func renewsOnce(_ generation: DialectName) async throws {
        let (device, user) = try await Device.with(.registered, generation)
        rotate(device)
        device.transport.on(.get, "/dta/2/1") { [platform = device.server] request in
            // The issuers change again during the first renewal.
            platform.change { $0.newest = 2 }
            return platform.share(request)
        }
        try await device.logIn(user)
        #expect(device.paths.filter { $0 == "/rps/v2/authenticate" }.count == 2)
        device.transport.forgetRequests()
        try await device.logIn(user)
        #expect(device.paths.filter { $0 == "/rps/v2/authenticate" }.count == 2)
        device.transport.forgetRequests()
        try await device.logIn(user)
        #expect(device.paths.filter { $0 == "/rps/v2/authenticate" }.count == 1)
    }

    enum Fault: String, CaseIterable { case share, key, store, untrusted, curve, point, cancelled }

    @Test(arguments: DialectName.later, Fault.allCases)
    func aFailedRenewalIsASuccessfulLogin(_ generation: DialectName, _ fault: Fault) async throws {
        let (device, user) = try await Device.with(.registered, generation)
        rotate(device)
        try arrange(fault, device, user)
        try await device.logIn(user)
        #expect(device.paths.filter { $0 == "/rps/v2/authenticate" }.count == 1)
        #expect(device.log.text.contains("not renewed"))
        #expect(!device.transport.requests.contains { $0.url.origin.host == "evil.test" })
        #expect(try await device.mpin.user(user.key)?.mpinID == user.mpinID)
        // The old secret still counts, in memory and in the store.
        device.storage.failure = nil
        device.server.change { $0.renews = false }
        device.server.install()
        try await device.logIn(user)
        try await device.next().logIn(user)
    }

    /// The verdict on the second login, which is with the new secret.
    @Test(arguments: DialectName.later) func reportsALoginThatFailsAfterARenewal(_ generation: DialectName) async throws
    {
        for (verdict, status) in [
            (FakeTransport.Behaviour.status(412), Status.incorrectAccessNumber), (.status(408), .requestExpired),
            (.lost(true), .networkError),
        ] {
            let (device, user) = try await Device.with(.registered, generation)
            rotate(device)
            device.transport.on(.get, "/dta/2/1") { [server = device.server] request in
                server.transport.on(.post, "/rps/v2/authenticate", verdict)
                return server.share(request)
            }
            // The server accepted the first proof, so the client cannot know the session's state.
            let error = await expect(status) { try await device.logIn(user) }
            #expect(error?.outcomeIsUnknown == true, "\(status)")
            let renewed = try #require(try await device.mpin.user(user.key))
            #expect(renewed.mpinID != user.mpinID && renewed.state == .registered, "\(status)")
            device.server.install()
            try await device.logIn(user)
        }
    }

    @Test(arguments: DialectName.later) func aKeyForSigningIsRenewed(_ generation: DialectName) async throws {
        let device = try await Device(generation).ready()
        let user = try await device.signer()
        let digest = MPin.hashDocument(Array("pay".utf8))
        let first = try await device.mpin.sign(documentHash: digest, as: user, pin: makePin(device.signingPIN))
        rotate(device)
        let second = try await device.mpin.sign(documentHash: digest, as: user, pin: makePin(device.signingPIN))
        #expect(device.server.accepts(first) && device.server.accepts(second))
        #expect(first.publicKey != second.publicKey && first.mpinID != second.mpinID)
        // A separate identity for signing leaves the one for logins alone.
        let login = try await device.mpin.user(user.key)?.mpinID
        #expect((login == user.mpinID) == (generation == .mfaV2))
        let next = try await device.next()
        let third = try await next.mpin.sign(documentHash: digest, as: user, pin: makePin(device.signingPIN))
        #expect(third.publicKey == second.publicKey && next.paths.count == 3)
    }

    /// A secret for logins is never made with the signing PIN, nor one without a key for an identity that has a key.
    @Test(arguments: DialectName.later) func takesNoSecretOfTheOtherKind(_ generation: DialectName) async throws {
        let device = try await Device(generation).ready()
        let user = try await device.signer()
        let point = try goodPoint(device, user)
        device.transport.on(
            .post, "/rps/v2/authenticate",
            .json(
                #"{"renewSecret":{"mpin_id":"7b7d","clientSecretShare":"\#(point)","cs2url":"https://dta.test/dta/2/1?hash=\#(String(repeating: "ab", count: 32))","curve":"BN254CX","dtas":"W10="}}"#
            ))
        _ = try await device.mpin.sign(
            documentHash: MPin.hashDocument([]), as: user, pin: makePin(device.signingPIN))
        if device.server.isTrust { try await device.logIn(user) }
        #expect(!device.paths.contains("/dta/2/1"))
        #expect(try await device.mpin.user(user.key) == user)
    }

    @Test func forgetsARegistrationThatIsUnderWay() async throws {
        let server = try ScriptedServer(.trust2025)
        let gate = GatedTransport(inner: server.transport, path: "/registration")
        let mpin = try await Device(server, through: gate).ready().mpin
        let user = await mpin.makeNewUser("alice@example.com")
        let starting = Task { try await mpin.startRegistration(of: user, activateCode: Device.token) }
        await gate.waitUntilReached()
        await mpin.forgetShares(of: user)
        gate.open()
        await expect(.flowError, .registrationGone) { try await starting.value }
        #expect(try await mpin.users().isEmpty)
    }

    /// Makes the issuers change their secrets.
    private func rotate(_ device: Device) { device.server.change { ($0.renews, $0.newest) = (true, 1) } }

    private func arrange(_ fault: Fault, _ device: Device, _ user: User) throws {
        let transport = device.transport
        switch fault {
        case .share: transport.on(.get, "/dta/2/1", .status(500))
        case .cancelled:
            transport.on(.get, "/dta/2/1", .lost(true, .cancelled))
        case .store:
            transport.on(.get, "/dta/2/1") { [platform = device.server, storage = device.storage] request in
                storage.failure = IdentityStorageError(.unavailable, detail: "full")
                return platform.share(request)
            }
        case .key: try offer(device, user, token: "")
        case .curve: try offer(device, user, curve: "BLS381")
        case .untrusted: try offer(device, user, url: "https://evil.test/x")
        case .point:
            try offer(device, user, share: "04" + String(repeating: "1", count: 128))
            transport.on(.get, "/dta/2/1", .json(#"{"clientSecret":"04","dvsClientSecret":"04"}"#))
        }
    }

    /// A renewal offer with one fault.
    private func offer(
        _ device: Device, _ user: User, token: String = "t", curve: String = "BN254CX",
        url: String = "https://dta.test/dta/2/1?hash=00", share: String? = nil
    ) throws {
        let share = try share ?? goodPoint(device, user)
        let rest = #""cs2url":"\#(url)","curve":"\#(curve)","dtas":"W10=""#
        let reply =
            device.server.isTrust
            ? #"{"dvsRegister":{"token":"\#(token)","curve":"\#(curve)"}}"#
            : #"{"renewSecret":{"mpin_id":"\#(token.isEmpty ? "" : "7b7d")","clientSecretShare":"\#(share)",\#(rest)}}"#
        device.transport.on(.post, "/rps/v2/authenticate", .json(reply))
        device.transport.on(
            .post, "/rps/v2/dvsregister", .json(#"{"mpinId":"7b7d","dvsClientSecretShare":"\#(share)",\#(rest)}"#))
        device.transport.on(
            .post, "/registration", .json(#"{"mpinId":"7b7d","secretUrls":["\#(url)","\#(url)"],\#(rest)}"#))
    }

    private func goodPoint(_ device: Device, _ user: User) throws -> String {
        let hash = String(repeating: "ab", count: 32)
        let request = HTTPRequest(.get, try WebAddress("https://dta.test/dta/1/1?hash=\(hash)"))
        guard case .reply(let response) = device.server.share(request) else { return "" }
        return text(response.body).firstMatch(of: /04[0-9a-f]{128}/).map { String($0.0) } ?? ""
    }
}
