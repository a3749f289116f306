// SPDX-License-Identifier: Apache-2.0

import BackendValues

/// Browsers that wait for a signature, as in the first generation. docs/protocol/miracl.md, sections 6.2 and 12.5.
extension Platform {
    /// `POST /dvs/session/details`.
    /// - Throws: `PlatformRefusal` about `id` for a session that is unknown, expired or for a login.
    package func details(of request: SigningSessionRequest, at mount: PlatformMount) async throws
        -> PlatformSessionDetails
    {
        let (session, expires) = try await signingSession(request)
        var details = details(of: session, below: try await mount.url, at: mount)
        details.signingEnds = expires
        return details
    }

    /// `PUT /dvs/session`: takes the device's signature.
    /// - Throws: the errors of `deliver`.
    package func complete(_ delivery: SignatureDelivery) async throws {
        _ = try await signingSession(delivery.session)
        try await deliver(delivery.signature, to: delivery.session.accessID)
    }

    /// `DELETE /dvs/session`.
    /// - Throws: `PlatformRefusal` about `id`.
    package func abort(_ request: SigningSessionRequest) async throws {
        _ = try await signingSession(request)
        _ = try? await sessions.report(.declined, of: "", to: request.accessID, now: clock.now)
    }

    private func signingSession(
        _ request: SigningSessionRequest
    ) async throws -> (session: LoginSession, expires: WallTime) {
        guard let entry = try await sessions.entry(for: request.accessID, now: clock.now),
            !entry.value.request.hash.isEmpty
        else { throw PlatformRefusal.invalid("id") }
        return (entry.value, entry.expires)
    }
}
