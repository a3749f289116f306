// SPDX-License-Identifier: Apache-2.0

/// Where devices log their users in to applications.
protocol ApplicationGate: Sendable {
    /// Opens the session of an authorization URL.
    /// - Parameter userID: whom the application expects; empty for anybody.
    /// - Returns: `{webOTT, qrURL, accessURL, accessId}`.
    func openSession(expecting userID: String) async throws -> JSONObject
    /// The login that a code stands for, once.
    func takeApplicationLogin(_ code: OneTimeToken) async -> ApplicationLogin?
}
