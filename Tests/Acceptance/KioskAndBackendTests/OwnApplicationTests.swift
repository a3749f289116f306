// SPDX-License-Identifier: Apache-2.0

import MPinServer
import BackendTestKit
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import ReferenceBackend

/// The SDK's client as the application of a relying party, as in a login at the kiosk itself.
@Suite struct OwnApplicationTests {
    @Test func logsPeopleInForItself() async throws {
        try await withClient(.mfaV2) { kiosk in
            let application = RelyingPartyApplication(
                at: try WebAddress(kiosk.backend.addresses.publicURL), transport: kiosk.network, trust: kiosk.trust,
                logger: kiosk.backend.log.logger)
            func session() async throws -> AccessCode {
                try await kiosk.mpin.accessCode(fromAuthorizationURL: try await application.authorizationURL())
            }
            let user = try await kiosk.register("alice@example.com", try await session())
            for _ in 1...2 {
                let code = try await session()
                try await kiosk.mpin.startAuthentication(of: user, accessCode: code)
                let wrong = await #expect(throws: MPinError.self) {
                    try await kiosk.mpin.finishAuthenticationMFA(of: user, pin: newPIN("9999"), accessCode: code)
                }
                #expect(wrong?.status == .incorrectPIN && wrong?.httpStatus == 401)
                kiosk.backend.clock.letDelaysPass()
                // The same code works for the PIN that is typed again.
                let authorization = try await kiosk.mpin.finishAuthenticationMFA(
                    of: user, pin: newPIN("1234"), accessCode: code)
                try await application.submit(authorizationCode: authorization, userID: "alice@example.com")
                let twice = await #expect(throws: MPinError.self) {
                    try await application.submit(authorizationCode: authorization, userID: "alice@example.com")
                }
                #expect(twice?.status == .identityNotAuthorized && twice?.outcomeIsUnknown == false)
            }
            let code = try await session()
            try await kiosk.mpin.startAuthentication(of: user, accessCode: code)
            let authorization = try await kiosk.mpin.finishAuthenticationMFA(
                of: user, pin: newPIN("1234"), accessCode: code)
            let error = await #expect(throws: MPinError.self) {
                try await application.submit(authorizationCode: authorization, userID: "bob@example.com")
            }
            #expect(error?.status == .identityNotAuthorized && error?.httpStatus == 401)
            #expect(error?.detail.contains("Another user logged in, or nobody") == true)
        }
    }
}
