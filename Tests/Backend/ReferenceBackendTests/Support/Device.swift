// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import MPinCrypto
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// A device of any dialect with one identity. Everything that differs between dialects stands in its requests.
struct Device: Sendable {
    static let userID = "alice@example.com"
    static let companyID = "the-company"

    let dialect: Dialect
    let wire: Wire
    let userID: String
    let mpinIDHex: String
    let token: Token
    /// The key of an identity that signs.
    var publicKeyHex: String?
    /// The D-TAs of an identity of the platform.
    var dtas: String?

    /// The backend, at the endpoint of the dialect.
    var backend: RunningBackend { wire.backend }

    var mpinID: MPinID { MPinID(Hexadecimal.bytes(mpinIDHex) ?? []) }

    var identity: MPinIdentity {
        get throws {
            guard let publicKeyHex else { return MPinIdentity(mpinID) }
            return MPinIdentity(
                mpinID, publicKey: try DVSPublicKey(bytes: try #require(Hexadecimal.bytes(publicKeyHex))))
        }
    }

    /// The same identity at another backend, or by another dialect without permits.
    func moved(to backend: RunningBackend, dialect: Dialect? = nil) -> Device {
        Device(
            dialect: dialect ?? self.dialect, wire: Wire(backend: backend, program: wire.program), userID: userID,
            mpinIDHex: mpinIDHex, token: token, publicKeyHex: publicKeyHex, dtas: dtas)
    }

    /// Runs `body` at the endpoint of the dialect, of a backend with the classic protocol at its origin.
    static func withEndpoint<Value: Sendable>(
        _ dialect: Dialect, options: [String] = [],
        _ body: @escaping @Sendable (RunningBackend) async throws -> Value
    ) async throws -> Value {
        try await withBackend(options: ["--company-id", companyID] + options) { backend in
            try await body(try backend.identified(as: companyID).below("/" + dialect.rawValue))
        }
    }

    /// As `withEndpoint`, with a registered device.
    static func with<Value: Sendable>(
        _ dialect: Dialect, options: [String] = [],
        _ body: @escaping @Sendable (Device) async throws -> Value
    ) async throws -> Value {
        try await withEndpoint(dialect, options: options) { endpoint in
            try await body(try await registered(dialect, at: endpoint))
        }
    }
}

extension Dialect {
    /// The path of the RPS.
    var rps: String { platformGeneration == nil ? "/rps" : "/rps/v2" }
}

extension JSONObject {
    func bytes(_ name: String) throws -> [UInt8] {
        try #require(string(name).flatMap { Hexadecimal.bytes($0) }, "\(name)")
    }
}
