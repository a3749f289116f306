// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// Registration in the dialect mfa-v2: as in the classic ones, with issuers and an address for the second share.
@Suite struct MFAv2RegistrationTests {
    @Test func registersByMail() async throws {
        let device = try await Device(.mfaV2).ready()
        let mpin = device.mpin
        var user = await mpin.makeNewUser("alice@example.com", deviceName: "front door")
        user = try await mpin.startRegistration(
            of: user, userData: "x", accessCode: accessCode, pushIdentifier: "push:1")
        #expect(user.state == .startedRegistration && user.dialect == .mfaV2 && user.pinLength == 4)
        #expect(user.customerID == "c1" && user.appID == "OIDC" && user.verificationType == .email)
        #expect(
            user.registrationExpires == Expiration(expireTimeSeconds: 1_795_255_923, nowTimeSeconds: 1_795_252_323))
        let start = try #require(device.transport.requests.last)
        #expect(start.method == .put && start.url.path == "/rps/v2/user")
        #expect(
            start.body.map(text)
                == #"{"userId":"alice@example.com","wid":"\#(text(accessCode))","mobile":1,"deviceName":"front door","#
                + #""userData":"x","pushToken":"push:1"}"#)
        await expect(.identityNotVerified, .notVerified) { try await mpin.confirmRegistration(of: user) }
        user = try await mpin.restartRegistration(of: user)
        let restart = try #require(device.transport.requests.last)
        #expect(restart.url.path.hasPrefix("/rps/v2/user/7b22"))
        #expect(
            object(restart)?["regOTT"] as? String == "ott+1/x" && object(restart)?["wid"] as? String == text(accessCode)
        )
        device.server.change { $0.isActive = true }
        device.transport.forgetRequests()
        user = try await mpin.confirmRegistration(of: user, pushIdentifier: "a b")
        #expect(device.transport.requests[0].url.query == "regOTT=ott%2B1%2Fx&pmiToken=a%20b")
        #expect(device.paths.last == "/dta/2/0")
        user = try await mpin.finishRegistration(of: user, pin: makePin("1234"))
        #expect(user.state == .registered && !user.canSign)
        try await device.logIn(user)
        #expect(try await mpin.isUserExisting("alice@example.com"))
        #expect(try await mpin.isUserExisting("alice@example.com", customerID: "c1", appID: "OIDC"))
        #expect(try await !mpin.isUserExisting("alice@example.com", customerID: "c2"))
        #expect(try await !mpin.isUserExisting("alice@example.com", customerID: "c1", appID: "other"))
        #expect(try await !mpin.isUserExisting("bob@example.com"))
        #expect(try await mpin.user(byID: "alice@example.com") == user)
        #expect(try await mpin.user(byID: "") == nil)
    }

    @Test func aCodeTakesThePlaceOfTheMail() async throws {
        let device = try await Device(.mfaV2).ready()
        let user = try await device.mpin.startRegistration(
            of: await device.mpin.makeNewUser("alice@example.com"),
            activateCode: SecretBytes(copying: ScriptedServer.registrationCode.utf8), accessCode: accessCode)
        #expect(user.state == .activated && user.verificationType == .registrationCode)
        #expect(object(try #require(device.transport.requests.last))?["activateCode"] as? String == "314159")
        _ = try await device.mpin.confirmRegistration(of: user)
        let other = await device.mpin.makeNewUser("bob@example.com")
        await expect(.identityNotAuthorized) {
            try await device.mpin.startRegistration(of: other, activateCode: SecretBytes(copying: "000000".utf8))
        }
    }

    @Test func forgetsEverybody() async throws {
        let device = try await Device(.mfaV2).ready()
        _ = try await device.user(.registered)
        _ = try await device.user(.registered, identity: "bob@example.com")
        device.storage.failure = IdentityStorageError(.unavailable, detail: "read-only")
        await #expect(throws: MPinError.self) { try await device.mpin.clearUsers() }
        #expect(try await device.mpin.users().count == 2)
        device.storage.failure = nil
        try await device.mpin.clearUsers()
        #expect(try await device.mpin.users().isEmpty)
        #expect(try await device.storage.identities().isEmpty)
    }

    /// A backend that changes its dialect at the last moment is refused.
    @Test func aReplyOfAnotherDialectIsAContradiction() async throws {
        let share = "04" + String(repeating: "1", count: 128)
        let classic = #"{"clientSecretShare":"\#(share)","params":"a=b"}"#
        let later = #"{"clientSecretShare":"\#(share)","cs2url":"https://dta.test/x","curve":"BN254CX","dtas":"W10="}"#
        let trust =
            #"{"dvsClientSecretShare":"\#(share)","cs2url":"https://dta.test/x","curve":"BN254CX","dtas":"W10="}"#
        for (dialect, replies) in [
            (DialectName.milagro, [later, trust]), (.mfaV2, [classic, trust]), (.trust2023, [classic, later]),
        ] {
            for reply in replies {
                let (device, user) = try await Device.with(.activated, dialect)
                device.transport.on(.get, device.server.root + "/signature/*", .json(reply))
                let error = await expect(.responseParseError, .registrationGone) {
                    try await device.mpin.confirmRegistration(of: user)
                }
                let name = dialect == .trust2023 ? "trust" : dialect.rawValue
                #expect(error?.detail.contains("registered for \(name)") == true)
            }
        }
    }
}
