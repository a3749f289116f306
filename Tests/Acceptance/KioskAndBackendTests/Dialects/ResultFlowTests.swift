// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// Logins with a result, in every dialect.
@Suite struct ResultFlowTests {
    @Test(arguments: DialectFlow.dialects) func makesAOneTimePassword(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.register()
            guard DialectFlow.oneTimePassword.isThere(in: dialect) else {
                await kiosk.expectAbsent { try await kiosk.mpin.startAuthenticationOTP(of: user) }
                return
            }
            try await kiosk.mpin.startAuthenticationOTP(of: user)
            let wrong = await #expect(throws: MPinError.self) {
                try await kiosk.mpin.finishAuthenticationOTP(of: user, pin: newPIN("9999"))
            }
            #expect(wrong?.status == .incorrectPIN)
            kiosk.backend.clock.letDelaysPass()
            try await kiosk.mpin.startAuthenticationOTP(of: user)
            let password = try await kiosk.mpin.finishAuthenticationOTP(of: user, pin: newPIN("1234"))
            #expect(password.status == .ok && password.digits.count == 6 && password.ttlSeconds == 60)
            #expect(password.expires?.nowTimeSeconds == kiosk.backend.clock.now.seconds)
        }
    }

    @Test(arguments: DialectFlow.dialects) func letsAnotherDeviceRegister(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.register()
            guard DialectFlow.otherDevice.isThere(in: dialect) else {
                await kiosk.expectAbsent { try await kiosk.mpin.startAuthenticationRegCode(of: user) }
                return
            }
            try await kiosk.mpin.startAuthenticationRegCode(of: user)
            let code = try await kiosk.mpin.finishAuthenticationRegCode(of: user, pin: newPIN("1234"))
            #expect(code.status == .ok && code.digits.count == 6 && code.ttlSeconds == 300)
            let second = try await kiosk.anotherDevice()
            let new = await second.mpin.makeNewUser(user.identity, deviceName: "back door")
            let registered = try await second.register(new, code: code.digits, pin: "4321")
            #expect(registered.verificationType == .registrationCode && registered.mpinID != user.mpinID)
            try await second.logIn(registered, pin: "4321")
            try await kiosk.expectUnchanged(user)
            // A code registers one device of the same person, while it is valid.
            let third = try await kiosk.anotherDevice()
            func expectRefusal(of code: LoginValues.SecretBytes) async throws {
                let newcomer = await third.mpin.makeNewUser(user.identity)
                let refused = await #expect(throws: MPinError.self) {
                    try await third.mpin.startRegistration(of: newcomer, activateCode: code)
                }
                #expect(refused?.status == .identityNotAuthorized)
                #expect(try await third.storage.identities().isEmpty)
            }
            try await expectRefusal(of: code.digits)
            let expired = try await kiosk.code(by: user)
            kiosk.backend.clock.advance(by: .seconds(301))
            try await expectRefusal(of: expired)
            // That device can make no code, but is unchanged otherwise.
            try await second.mpin.startAuthenticationRegCode(of: registered)
            let chained = await #expect(throws: MPinError.self) {
                try await second.mpin.finishAuthenticationRegCode(of: registered, pin: newPIN("4321"))
            }
            #expect(chained?.status == .operationNotAllowed)
            try await second.logIn(registered, pin: "4321")
        }
    }

    @Test(arguments: DialectFlow.dialects) func logsAnApplicationIn(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.register()
            func code(_ accessCode: AccessCode?) async throws -> LoginValues.SecretBytes {
                try await kiosk.mpin.finishAuthenticationMFA(of: user, pin: newPIN("1234"), accessCode: accessCode)
            }
            guard DialectFlow.authorizationCode.isThere(in: dialect) else {
                if !dialect.isTrust { try await kiosk.mpin.startAuthentication(of: user) }
                // The classic server is asked and gives no code.
                await kiosk.expectAbsent(dialect.isTrust ? .flowError : .responseParseError) { _ = try await code(nil) }
                return
            }
            var accessCode: AccessCode?
            if dialect == .mfaV2 {
                let authorization = try await kiosk.backend.client.post("/authzurl", [:])
                let url = try WebAddress(try #require(authorization.object.string("authorizeURL")))
                accessCode = try await kiosk.mpin.accessCode(fromAuthorizationURL: url)
            }
            try await kiosk.mpin.startAuthentication(of: user, accessCode: accessCode)
            let text = try await code(accessCode).text
            let body: [String: JSONValue] = ["code": .string(text), "userID": "alice@example.com"]
            #expect(try await kiosk.backend.client.post("/authtoken", body).status == 200)
            #expect(try await kiosk.backend.client.post("/authtoken", body).status == 401)
        }
    }

    @Test(arguments: DialectFlow.dialects) func givesAStatement(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.register()
            guard DialectFlow.statement.isThere(in: dialect) else {
                try await kiosk.mpin.startAuthentication(of: user)
                await kiosk.expectAbsent {
                    _ = try await kiosk.mpin.finishAuthenticationJWT(of: user, pin: newPIN("1234"))
                }
                return
            }
            try await kiosk.mpin.startAuthentication(of: user)
            let statement = try await kiosk.mpin.finishAuthenticationJWT(of: user, pin: newPIN("1234"))
            let keys = try await kiosk.backend.client.get("/.well-known/jwks").object
            let claims = try SignedToken(statement.text).claims(checkedWith: keys)
            #expect(claims.string("sub") == "alice@example.com" && claims.string("aud") == kiosk.companyID)
        }
    }
}
