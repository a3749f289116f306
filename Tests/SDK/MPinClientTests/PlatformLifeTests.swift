// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// Headers, trusted domains and registration tokens that are added later, and secrets that are never printed.
@Suite struct PlatformLifeTests {
    @Test func addsAndClearsHeaders() async throws {
        let device = try await Device().ready()
        let mpin = device.mpin
        try await mpin.addCustomHeaders([HTTPHeader("X-Site", "7"), HTTPHeader("X-MIRACL-OS-Class", "door")])
        try await mpin.addCustomHeaders([HTTPHeader("x-site", "8")])
        _ = try await mpin.sessionDetails(for: accessCode)
        let sent = try #require(device.transport.requests.last).headers
        #expect(sent.contains(HTTPHeader("x-site", "8")) && sent.contains(HTTPHeader("X-MIRACL-OS-Class", "door")))
        #expect(sent.filter { $0.name.lowercased() == "x-site" }.count == 1)
        for wrong in [[HTTPHeader("A", "1"), HTTPHeader("a", "2")], [HTTPHeader("A", "b\r\nc: d")]] {
            let error = await #expect(throws: MPinError.self) { try await mpin.addCustomHeaders(wrong) }
            #expect(error?.status == .flowError)
        }
        await mpin.clearCustomHeaders()
        _ = try await mpin.sessionDetails(for: accessCode)
        let rest = try #require(device.transport.requests.last).headers
        #expect(
            rest.contains(HTTPHeader("X-MIRACL-CID", "company1"))
                && rest.contains(HTTPHeader("X-MIRACL-OS-Class", "linux")))
        #expect(!rest.contains { $0.name.lowercased() == "x-site" })
    }

    @Test func trustsTheDomainsItIsTold() async throws {
        let platform = try ScriptedPlatform(.trust2025)
        let mpin = MPin(
            transport: platform.transport, storage: InMemoryStorage(), trust: nil,
            configuration: MPin.Configuration(clientVersion: "1"), logger: LogCapture().logger)
        try await mpin.initialize()
        let verdicts: [(String, Bool)] = [
            ("https://rps.test", true), ("https://deep.in.rps.test", true), ("https://evilrps.test", false),
            ("https://rps.test.evil.test", false), ("http://rps.test", false), ("https://rps.test:8443", false),
        ]
        // Without a list nothing is checked.
        for (address, _) in verdicts { _ = try? await mpin.serviceDetails(at: try WebAddress(address)) }
        #expect(Set(platform.transport.requests.map(\.url.origin)).count == verdicts.count)
        try await mpin.addTrustedDomain("rps.test")
        for (address, isTrusted) in verdicts {
            platform.transport.forgetRequests()
            let error = await mpin.failure(at: try WebAddress(address))
            #expect((error?.status == .untrustedDomainError) != isTrusted, "\(address)")
            #expect(platform.transport.requests.isEmpty != isTrusted, "\(address)")
        }
        for wrong in ["", "com", "https://rps.test", "*.rps.test", "a b.test", "127.0.0.1"] {
            let error = await #expect(throws: MPinError.self) { try await mpin.addTrustedDomain(wrong) }
            #expect(error?.status == .flowError, "\(wrong)")
        }
        try await mpin.addTrustedDomain("other.test")
        #expect(await mpin.failure(at: try WebAddress("https://rps.test"))?.status != .untrustedDomainError)
        await mpin.clearTrustedDomains()
        #expect(await mpin.failure(at: try WebAddress("https://evil.test"))?.status != .untrustedDomainError)
    }

    /// The policy that a client was made with cannot be removed.
    @Test func aPolicyStays() async throws {
        let device = try await Device().ready()
        let evil = try WebAddress("https://evil.test")
        await device.mpin.clearTrustedDomains()
        #expect(await device.mpin.failure(at: evil)?.status == .untrustedDomainError)
        try await device.mpin.addTrustedDomain("evil.test")
        // The service is asked now, and names a backend of another service.
        #expect(await device.mpin.failure(at: evil)?.kind == .untrustedHost(.anotherService))
        // All domains that an application adds itself belong together.
        try await device.mpin.addTrustedDomain("rps.test")
        #expect(await device.mpin.failure(at: evil)?.status != .untrustedDomainError)
        #expect(await device.mpin.failure(at: try WebAddress("https://login.test"))?.status != .untrustedDomainError)
        await device.mpin.clearTrustedDomains()
        #expect(await device.mpin.failure(at: evil)?.status == .untrustedDomainError)
    }

    @Test func completesARegistrationToken() async throws {
        let device = try await Device().ready()
        let user = try await device.user(.startedRegistration)
        #expect(await !device.mpin.isRegistrationTokenSet(user))
        for wrong in ["", "a b", "\u{E9}", String(repeating: "a", count: 257)] {
            let error = await #expect(throws: MPinError.self) {
                try await device.mpin.setRegistrationToken(SecretBytes(copying: wrong.utf8), of: user)
            }
            #expect(error?.status == .flowError)
        }
        device.transport.forgetRequests()
        try await device.mpin.setRegistrationToken(SecretBytes(copying: "5678".utf8), of: user)
        #expect(await device.mpin.isRegistrationTokenSet(user) && device.transport.requests.isEmpty)
        let again = await #expect(throws: MPinError.self) {
            try await device.mpin.setRegistrationToken(SecretBytes(copying: "5678".utf8), of: user)
        }
        #expect(again?.status == .flowError)
        // It is stored.
        let second = try await Device(backend: device.backend, storage: device.storage).ready()
        _ = try? await second.mpin.confirmRegistration(of: user)
        let query = try #require(device.transport.requests.last?.url.query)
        #expect(query.wholeMatch(of: #/regOTT=[0-9a-f]{32}5678/#) != nil)
        let fresh = await device.mpin.makeNewUser("bob@example.com")
        let early = await #expect(throws: MPinError.self) {
            try await device.mpin.setRegistrationToken(SecretBytes(copying: "5678".utf8), of: fresh)
        }
        #expect(early?.status == .flowError)
    }

    /// Everything in the later dialects at trace level, with known secrets.
    @Test(arguments: DialectName.later) func noSecretIsLoggedOrPrinted(_ dialect: DialectName) async throws {
        let device = try PlatformDevice(dialect)
        device.platform.change {
            $0.renews = true
            $0.sessionHash = String(repeating: "ab", count: 32)
            $0.pinLength = 6
        }
        _ = try await device.ready()
        let mpin = device.mpin
        var printed: [String] = []
        func note(_ value: Any) {
            var text = "\(value) \(String(reflecting: value)) "
            dump(value, to: &text)
            printed.append(text)
        }
        let pin = "736251"
        let fresh = await mpin.makeNewUser("alice@example.com")
        note(try await mpin.startVerification(of: fresh))
        let result = try await mpin.finishVerification(of: fresh, code: VerificationTests.code)
        note(result)
        var user = try await mpin.startRegistration(of: fresh, activateCode: result.activationToken)
        note(mpin)
        user = try await mpin.confirmRegistration(of: user)
        user = try await mpin.finishRegistration(of: user, pin: makePin(pin))
        device.platform.change { $0.newest = 1 }
        try await device.logIn(user, pin: pin)
        try await mpin.startAuthenticationRegCode(of: user)
        note(try await mpin.finishAuthenticationRegCode(of: user, pin: makePin(pin)))
        if dialect == .mfaV2 {
            try await mpin.startRegistrationDVS(of: user, pin: makePin(pin))
            note(mpin)
            user = try await mpin.finishRegistrationDVS(of: user, pinDVS: makePin("918273"))
        } else {
            try await mpin.startAuthentication(of: user)
            note(try await mpin.finishAuthenticationJWT(of: user, pin: makePin(pin)))
            let session = try await mpin.signingSessionDetails(for: accessCode)
            note(session)
            _ = try await mpin.sign(session, as: user, pin: makePin(pin))
        }
        for path in ["/rps/v2/authenticate", "/rps/v2/pass1", "/rps/v2/pass2"] {
            device.transport.on(.post, path, .json(#"{"error":"INVALID_AUTH","info":"c2ln"}"#, status: 401))
            try await mpin.startAuthentication(of: user)
            do { _ = try await mpin.finishAuthenticationRegCode(of: user, pin: makePin(pin)) } catch { note(error) }
            device.platform.install()
        }
        note(try await device.storage.identities())
        printed.append(device.log.text)
        var canaries = [
            pin, "918273", "1234-code", ScriptedPlatform.token, ScriptedPlatform.quickCode, ScriptedPlatform.jwt,
            text(accessCode), "key-token-", "ott+",
        ]
        for request in device.transport.requests {
            canaries += ["V", "U", "authOTT", "activationToken", "signature"].compactMap {
                object(request)?[$0] as? String
            }
            if let query = request.url.query { canaries.append(query) }
        }
        canaries += ["/dta/1/0", "/dta/2/0", "/dta/2/1"].compactMap { device.platform.lastReply(to: $0).map(text) }
            .flatMap { $0.matches(of: /[0-9a-f]{32,}/).map { String($0.0) } }
        #expect(canaries.count > 25)
        #expect(device.log.text.contains("a secret was renewed"))
        for text in printed {
            for canary in canaries {
                #expect(!text.contains(canary), "a secret of \(canary.count) characters was printed")
            }
        }
    }
}

extension MPin {
    fileprivate func failure(at address: WebAddress) async -> MPinError? {
        do {
            _ = try await serviceDetails(at: address)
            return nil
        } catch { return error }
    }
}
