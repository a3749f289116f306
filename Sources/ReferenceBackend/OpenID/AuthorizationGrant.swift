// SPDX-License-Identifier: Apache-2.0

/// A login that a code stands for.
struct AuthorizationGrant: Sendable {
    static let lifetime = Duration.seconds(60)

    let request: AuthorizationRequest
    let userID: String
    /// When the PIN was right.
    let authenticated: WallTime
}
