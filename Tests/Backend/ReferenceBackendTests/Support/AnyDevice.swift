// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import HTTPTypes
import MPinCrypto
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// A device of any dialect with the PIN 1234, at the place of the dialect.
enum AnyDevice: Sendable {
    static let userID = "alice@example.com"
    static let companyID = "the-company"

    case classic(Device, usesPermits: Bool)
    case mfa(MFADevice)
    case trust(TrustDevice)

    static func registered(
        _ dialect: Dialect, as userID: String = userID, at backend: RunningBackend
    ) async throws -> AnyDevice {
        switch dialect {
        case .milagro, .milagroWithoutPermits, .mfaV1:
            let accessCode = dialect == .mfaV1 ? try await backend.client.newQRSession().accessCode : nil
            return .classic(
                try await Device.registered(userID, pin: "1234", accessCode: accessCode, at: backend),
                usesPermits: dialect.usesTimePermits)
        case .mfaV2: return .mfa(try await MFADevice.registered(userID, pin: "1234", at: backend.below("")))
        case .trust2023, .trust2025:
            let project = try await TrustProject(
                try #require(dialect.platformGeneration), at: backend.below(""))
            return .trust(try await TrustDevice.registered(userID, pin: "1234", at: project))
        }
    }

    /// Logs in and returns the status of the last request.
    func logIn(_ accessCode: String, pin: String = "1234") async throws -> Int {
        switch self {
        case .classic(let device, usesPermits: true):
            try await device.logInBrowser(pin: pin, accessCode: accessCode).status
        case .classic(let device, usesPermits: false):
            try await device.logInBrowserWithoutPermit(pin: pin, accessCode: accessCode).status
        case .mfa(let device):
            try await device.authenticate(pin: pin, scope: "oidc", accessID: accessCode).status
        case .trust(let device): try await device.authenticate(pin: pin, accessID: accessCode).status
        }
    }

    /// Runs `body` at the place of the dialect, of a backend with the classic protocol at its origin.
    static func withPlace<Value: Sendable>(
        _ dialect: Dialect, options: [String] = [],
        _ body: @escaping @Sendable (RunningBackend) async throws -> Value
    ) async throws -> Value {
        try await withBackend(options: ["--company-id", companyID] + options) { backend in
            try await body(try backend.identified(as: companyID).below("/" + dialect.rawValue))
        }
    }
}

extension AnyDevice {
    /// Logs in to its own application with the session of an authorization URL, and returns the code for the
    /// application's server.
    func applicationCode(_ accessCode: String) async throws -> String {
        switch self {
        case .classic(let device, _):
            let second = try await device.passes(pin: "1234", accessCode: accessCode, permit: nil)
            let reply = try await device.backend.client.post(
                "/rps/authenticate",
                [
                    "mpinResponse": .object(["authOTT": try #require(second.object.members["authOTT"])]),
                    "authzRequest": true,
                ])
            return try #require(reply.object.string("code"))
        case .mfa(let device):
            let reply = try await device.authenticate(
                pin: "1234", scope: "oidc", accessID: accessCode, wantsCode: true)
            return try #require(reply.object.string("code"))
        case .trust(let device):
            return try #require(try await device.authenticate(pin: "1234", scope: "jwt").object.string("jwt"))
        }
    }
}
