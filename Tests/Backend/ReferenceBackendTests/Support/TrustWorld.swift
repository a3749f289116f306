// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// Runs `body` with a project of MIRACL's platform since 2023.
func withProject<Value: Sendable>(
    _ generation: PlatformGeneration = .trust2025, admitting admitted: [String] = ["anybody"], options: [String] = [],
    _ body: @escaping @Sendable (TrustProject) async throws -> Value
) async throws -> Value {
    try await withBackend(admitting: admitted, options: options) { backend in
        try await body(try await TrustProject(generation, at: backend))
    }
}

/// As `withProject`, with a registered device.
func withTrustDevice<Value: Sendable>(
    _ generation: PlatformGeneration = .trust2025,
    _ body: @escaping @Sendable (TrustProject, Device) async throws -> Value
) async throws -> Value {
    try await withProject(generation) { project in
        try await body(project, try await Device.registered(at: project))
    }
}

extension TrustProject {
    /// The requests of a device at this project.
    var wire: Wire { Wire(backend: backend.below(base)) }

    /// Asks the platform for its verdict on a signature, as a relying party with its password or with `credentials`.
    func verify(
        _ signature: [String: JSONValue], time: Int64, credentials: String? = nil
    ) async throws -> Reply {
        var headers = try backend.relyingPartyFields
        if let credentials { headers[.authorization] = credentials }
        return try await post(
            "/dvs/verify",
            ["signature": .object(signature), "timestamp": .integer(time), "type": "verification"], headers: headers)
    }
}
