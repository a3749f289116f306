// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// Runs everything at trace level with known secrets, and searches for them in everything that can be read
/// afterwards.
@Suite struct CanaryTests {
    static let pin = "736251"
    static let newPIN = "580346"
    static let activateCode = "canary-activate-code"

    /// Everything that was printed, in each of Swift's ways.
    private final class Printout {
        private(set) var texts: [String] = []

        func note(_ value: Any) {
            var text = "\(value) \(String(reflecting: value)) "
            dump(value, to: &text)
            if let error = value as? MPinError { text += error.detail }
            texts.append(text)
        }

        func noteFailure(_ body: () async throws -> Void) async { do { try await body() } catch { note(error) } }

        func expectNone(of secrets: [String]) {
            let canaries = (secrets + secrets.map { $0.uppercased() }).filter { $0.count > 1 }
            for text in texts {
                for canary in canaries {
                    #expect(!text.contains(canary), "a secret of \(canary.count) characters was printed")
                }
            }
        }
    }

    /// The secrets in requests and in the last replies to some paths.
    private func sent(_ device: Device, repliesTo paths: [String]) throws -> [String] {
        var canaries: [String] = []
        for request in device.transport.requests {
            canaries += ["regOTT", "V", "WID", "U", "UT", "wid", "authOTT", "activationToken", "signature"]
                .compactMap { object(request)?[$0] as? String }
            if let query = request.url.query, !query.isEmpty { canaries.append(query) }
        }
        for path in paths {
            let reply = try #require(device.server.lastReply(to: path).map(text), "\(path)")
            canaries += reply.matches(of: /[0-9a-f]{32,}/).map { String($0.0) }
        }
        return canaries
    }

    /// The server never learns a PIN: it is no word of an address or a body.
    private func expectNoPIN(in requests: [HTTPRequest]) {
        #expect(requests.count > 10)
        for request in requests {
            let sent = "\(request.url) \(request.body.map(text) ?? "")"
            let words = sent.split { !$0.isLetter && !$0.isNumber }.map(String.init)
            #expect(!words.contains(Self.pin) && !words.contains(Self.newPIN), "\(request.url.path)")
        }
    }

    @Test func noSecretIsLoggedOrPrinted() async throws {
        let device = try Device()
        let mpin = device.mpin
        let printout = Printout()
        try await mpin.initialize()
        try await device.setBackend()
        printout.note(try await mpin.serviceDetails(at: try WebAddress("https://login.test")))
        printout.note(try await mpin.sessionDetails(for: accessCode))
        var user = try await mpin.startRegistration(
            of: await mpin.makeNewUser("alice@example.com"),
            activateCode: SecretBytes(copying: Self.activateCode.utf8), userData: "x", accessCode: accessCode)
        printout.note(user)
        await printout.noteFailure { _ = try await mpin.confirmRegistration(of: user) }
        user = try await mpin.restartRegistration(of: user)
        device.server.change { $0.isActive = true }
        user = try await mpin.confirmRegistration(of: user)
        await printout.noteFailure { _ = try await mpin.confirmRegistration(of: user) }
        user = try await mpin.finishRegistration(of: user, pin: makePin(Self.pin))
        printout.note(user)
        printout.note(try await device.logIn(user, pin: Self.pin))
        printout.note(await mpin.canLogout(user))
        try await mpin.startAuthentication(of: user)
        printout.note(try await mpin.finishAuthenticationOTP(of: user, pin: makePin(Self.pin)))
        try await mpin.startAuthentication(of: user)
        printout.note(try await mpin.finishAuthenticationMFA(of: user, pin: makePin(Self.pin)))
        for (old, new) in [(Self.newPIN, Self.pin), (Self.pin, Self.pin), (Self.pin, Self.newPIN)] {
            try await mpin.startAuthentication(of: user)
            await printout.noteFailure {
                printout.note(try await mpin.changePIN(of: user, from: makePin(old), to: makePin(new)))
            }
        }
        var canaries = try sent(
            device,
            repliesTo: [
                "/rps/user*", "/rps/signature/*", "/dta/clientSecret", "/rps/timePermit/*", "/dta/timePermit",
                "/rps/pass1", "/rps/pass2",
            ])
        // Every request fails once in every way while all secrets are in use.
        for endpoint in Endpoint.classic where endpoint.needsUser && endpoint != .restart {
            let stage = try await Stage(endpoint, Device(device.server))
            for behaviour in [FakeTransport.Behaviour.status(500), .json("{\"a\":"), .json("[]"), .status(302)] {
                stage.on(behaviour)
                if let error = try await stage.callFails() { printout.note(error) }
            }
            device.server.install()
            printout.note(stage.device.log.text)
            canaries += try sent(device, repliesTo: [])
        }
        printout.note(try await device.storage.identities())
        printout.note(mpin)
        printout.note(device.log.text)
        canaries += [
            Self.pin, Self.newPIN, Self.activateCode, "130265", "b2c4-authorization", "sessionToken", text(accessCode),
        ]
        canaries += [Self.activateCode, Self.pin, Self.newPIN].map { hex(Array($0.utf8)) }
        // The identity's public form.
        canaries.removeAll { [user.mpinID, user.hashedMPinID].contains($0) }
        #expect(canaries.count > 50)
        #expect(device.log.text.contains("pass 2 at https://rps.test"))
        printout.expectNone(of: canaries)
        expectNoPIN(in: device.transport.requests)
    }

    @Test(arguments: DialectName.later)
    func noSecretIsLoggedOrPrintedInLaterDialects(_ dialect: DialectName) async throws {
        let device = try await Device(dialect).ready()
        device.server.change { ($0.sessionHash, $0.pinLength) = (String(repeating: "ab", count: 32), 6) }
        let mpin = device.mpin
        let printout = Printout()
        let fresh = await mpin.makeNewUser("alice@example.com")
        printout.note(try await mpin.startVerification(of: fresh))
        let result = try await mpin.finishVerification(of: fresh, code: VerificationTests.code)
        printout.note(result)
        var user = try await mpin.startRegistration(of: fresh, activateCode: result.activationToken)
        printout.note(mpin)
        user = try await device.finish(user, pin: Self.pin)
        device.server.change { ($0.renews, $0.newest) = (true, 1) }
        try await device.logIn(user, pin: Self.pin)
        try await mpin.startAuthenticationRegCode(of: user)
        printout.note(try await mpin.finishAuthenticationRegCode(of: user, pin: makePin(Self.pin)))
        if dialect == .mfaV2 {
            try await mpin.startRegistrationDVS(of: user, pin: makePin(Self.pin))
            printout.note(mpin)
            user = try await mpin.finishRegistrationDVS(of: user, pinDVS: makePin(Self.newPIN))
        } else {
            try await mpin.startAuthentication(of: user)
            printout.note(try await mpin.finishAuthenticationJWT(of: user, pin: makePin(Self.pin)))
            let session = try await mpin.signingSessionDetails(for: accessCode)
            printout.note(session)
            _ = try await mpin.sign(session, as: user, pin: makePin(Self.pin))
        }
        for path in ["/rps/v2/authenticate", "/rps/v2/pass1", "/rps/v2/pass2"] {
            device.transport.on(.post, path, .json(#"{"error":"INVALID_AUTH","info":"c2ln"}"#, status: 401))
            try await mpin.startAuthentication(of: user)
            await printout.noteFailure {
                _ = try await mpin.finishAuthenticationRegCode(of: user, pin: makePin(Self.pin))
            }
            device.server.install()
        }
        printout.note(try await device.storage.identities())
        printout.note(device.log.text)
        let shares = dialect == .trust2025 ? ["/dta/1/0", "/dta/1/1"] : []
        let canaries =
            try sent(device, repliesTo: ["/dta/2/0", "/dta/2/1"] + shares) + [
                Self.pin, Self.newPIN, "1234-code", ScriptedServer.token, ScriptedServer.registrationCode,
                ScriptedServer.jwt,
                text(accessCode), "key-token-", "ott+",
            ]
        #expect(canaries.count > 25)
        #expect(device.log.text.contains("a secret was renewed"))
        printout.expectNone(of: canaries)
        expectNoPIN(in: device.transport.requests)
    }
}
