// SPDX-License-Identifier: Apache-2.0

/// A browser that shows the code of a client's request.
struct PendingAuthorization: Sendable {
    static let lifetime = Duration.seconds(600)

    let request: AuthorizationRequest
    /// When the device was through; nil before.
    var authenticated: WallTime?
}
