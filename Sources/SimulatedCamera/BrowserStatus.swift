// SPDX-License-Identifier: Apache-2.0

/// What `GET /session` says of this browser's login.
public struct BrowserStatus: Sendable, Equatable, Decodable {
    public enum State: String, Sendable, Decodable {
        case new, scanned, user, authenticated, expired
    }

    public let state: State
    /// The user's id, as soon as the page knows it.
    public let user: String?
}
