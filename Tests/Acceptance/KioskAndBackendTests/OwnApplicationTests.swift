// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import CurlTransport
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import ReferenceBackend

/// The SDK's client as the application of a relying party, as in a login at the kiosk itself.
@Suite struct OwnApplicationTests {
    @Test func logsPeopleInForItself() async throws {
        try await withApplication { kiosk, application in
            let user = try await kiosk.register("alice@example.com", try await kiosk.ownCode(application))
            for _ in 1...2 {
                let code = try await kiosk.ownCode(application)
                try await kiosk.mpin.startAuthentication(of: user, accessCode: code)
                let wrong = await #expect(throws: MPinError.self) {
                    try await kiosk.mpin.finishAuthenticationMFA(of: user, pin: newPIN("9999"), accessCode: code)
                }
                #expect(wrong?.status == .incorrectPIN && wrong?.httpStatus == 401)
                kiosk.backend.clock.advance(by: .seconds(8))
                // The same code works for the PIN that is typed again.
                let authorization = try await kiosk.mpin.finishAuthenticationMFA(
                    of: user, pin: newPIN("1234"), accessCode: code)
                try await application.submit(authorizationCode: authorization, userID: "alice@example.com")
                let twice = await #expect(throws: MPinError.self) {
                    try await application.submit(authorizationCode: authorization, userID: "alice@example.com")
                }
                #expect(twice?.status == .identityNotAuthorized && twice?.outcomeIsUnknown == false)
            }
        }
    }

    @Test func tellsTheServersWord() async throws {
        try await withApplication { kiosk, application in
            let user = try await kiosk.register("alice@example.com", try await kiosk.ownCode(application))
            let code = try await kiosk.ownCode(application)
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

    @Test func aBlockedPersonGetsNoCode() async throws {
        try await withApplication { kiosk, application in
            let user = try await kiosk.register("alice@example.com", try await kiosk.ownCode(application))
            let code = try await kiosk.ownCode(application)
            try await kiosk.mpin.startAuthentication(of: user, accessCode: code)
            for httpStatus in [401, 401, 410] {
                let error = await #expect(throws: MPinError.self) {
                    try await kiosk.mpin.finishAuthenticationMFA(of: user, pin: newPIN("9999"), accessCode: code)
                }
                #expect(error?.status == .incorrectPIN && error?.httpStatus == httpStatus)
                kiosk.backend.clock.advance(by: .seconds(8))
            }
            #expect(try await kiosk.mpin.user(user.key)?.state == .blocked)
        }
    }

    private func withApplication(
        _ body: @escaping @Sendable (OwnClient, RelyingPartyApplication) async throws -> Void
    ) async throws {
        try await withClient(.mfaV2) { kiosk in
            let transport = try CurlHTTPTransport(
                CurlHTTPTransport.Configuration(addressPolicy: AddressPolicy(allowed: [.loopback])))
            let address = try WebAddress(kiosk.backend.addresses.publicURL)
            let trust = TrustPolicy(
                entries: [try TrustEntry("127.0.0.1:\(kiosk.backend.addresses.publicPort)")], allowsLoopbackHTTP: true)
            let application = RelyingPartyApplication(
                at: address, transport: transport, trust: trust, logger: kiosk.backend.log.logger)
            let result: Result<Void, any Error>
            do { result = .success(try await body(kiosk, application)) } catch { result = .failure(error) }
            await transport.shutdown()
            try result.get()
        }
    }
}

extension OwnClient {
    /// Opens a session of the application itself.
    fileprivate func ownCode(_ application: RelyingPartyApplication) async throws -> AccessCode {
        try await mpin.accessCode(fromAuthorizationURL: try await application.authorizationURL())
    }
}
