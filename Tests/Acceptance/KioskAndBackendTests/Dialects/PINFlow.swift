// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import LoginValues
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// The uses of a PIN in the SDK's client, request by request.
enum PINFlow: String, CaseIterable, Sendable {
    case login, pinChange, oneTimePassword, otherDevice, authorizationCode, statement, signing, signingSession,
        signingKey

    private var row: DialectFlow {
        switch self {
        case .login: .browserLogin
        case .pinChange: .pinChange
        case .oneTimePassword: .oneTimePassword
        case .otherDevice: .otherDevice
        case .authorizationCode: .authorizationCode
        case .statement: .statement
        case .signing: .signing
        case .signingSession: .signingSession
        case .signingKey: .signingRegistration
        }
    }

    static func all(in dialect: Dialect) -> [PINFlow] { allCases.filter { $0.row.isThere(in: dialect) } }

    /// The requests in their order, each as a part of the path.
    func requests(_ kiosk: OwnClient) -> [String] {
        switch self {
        case .otherDevice where kiosk.dialect.isTrust: kiosk.steps + ["quickcode"]
        case .signingSession: kiosk.steps + [kiosk.dialect == .trust2025 ? "codeStatus" : "dvs/session"]
        case .signingKey: kiosk.steps + ["dvsregister", "clientSecret"]
        default: kiosk.steps
        }
    }

    /// A new person, ready for the flow.
    func person(_ kiosk: OwnClient) async throws -> User {
        let user = try await kiosk.registerAnew()
        return self == .signing ? try await SigningFlowTests.signer(kiosk, user).0 : user
    }

    /// Prepares everything that is not specific to a person, and returns a function that makes the requests.
    ///
    /// - Parameter pin: the typed PIN; nil for the right one.
    func prepared(
        _ kiosk: OwnClient, _ user: User, pin: String? = nil
    ) async throws -> @Sendable () async throws -> Void {
        let mpin = kiosk.mpin
        let pin = pin ?? (self == .signing && kiosk.dialect == .mfaV2 ? "5678" : "1234")
        let hash = MPin.hashDocument(SigningFlowTests.document)
        switch self {
        case .login: return { try await kiosk.logIn(user, pin: pin) }
        case .pinChange: return { try await kiosk.change(user, from: pin) }
        case .oneTimePassword:
            return {
                try await mpin.startAuthenticationOTP(of: user)
                let password = try await mpin.finishAuthenticationOTP(of: user, pin: newPIN(pin))
                guard password.status == .ok else { throw NothingIssued() }
            }
        case .otherDevice:
            return {
                try await mpin.startAuthenticationRegCode(of: user)
                let code = try await mpin.finishAuthenticationRegCode(of: user, pin: newPIN(pin))
                guard code.status == .ok else { throw NothingIssued() }
            }
        case .authorizationCode:
            var code: AccessCode?
            if kiosk.dialect == .mfaV2 {
                let authorization = try await kiosk.backend.client.post("/authzurl", [:])
                let url = try WebAddress(try #require(authorization.object.string("authorizeURL")))
                code = try await mpin.accessCode(fromAuthorizationURL: url)
            }
            return { [code] in
                try await mpin.startAuthentication(of: user, accessCode: code)
                _ = try await mpin.finishAuthenticationMFA(of: user, pin: newPIN(pin), accessCode: code)
            }
        case .statement:
            return {
                try await mpin.startAuthentication(of: user)
                _ = try await mpin.finishAuthenticationJWT(of: user, pin: newPIN(pin))
            }
        case .signing:
            return { _ = try await mpin.sign(documentHash: hash, as: user, pin: newPIN(pin)) }
        case .signingSession:
            let session = try await kiosk.session(["hash": .string(Hexadecimal.text(hash))])
            let details = try await mpin.signingSessionDetails(for: session.code)
            return { _ = try await mpin.sign(details, as: user, pin: newPIN(pin)) }
        case .signingKey:
            return {
                try await mpin.startRegistrationDVS(of: user, pin: newPIN(pin))
                _ = try await mpin.finishRegistrationDVS(of: user, pinDVS: newPIN("5678"))
            }
        }
    }

    /// Expects that only the PIN works that a run has left, and makes it 1234 again.
    func expectPIN(_ kiosk: OwnClient, _ user: User, isDone: Bool) async throws {
        guard self == .pinChange else { return }
        try await kiosk.expectPIN(isDone ? "4321" : "1234", not: isDone ? "1234" : "4321", of: user)
        if isDone { try await kiosk.change(user, from: "4321", to: "1234") }
    }

    /// A login succeeded without the expected result.
    struct NothingIssued: Error {}

    /// The error of a flow with an event right before one of its requests; nil for a success.
    func failure(
        _ kiosk: OwnClient, _ user: User, before step: String, _ event: @escaping @Sendable () async throws -> Void
    ) async throws -> MPinError? {
        let run = try await prepared(kiosk, user)
        kiosk.network.before(step, event)
        defer { #expect(kiosk.network.isSettled, "\(self) \(step)") }
        do {
            try await run()
            return nil
        } catch let error as MPinError { return error }
    }
}
