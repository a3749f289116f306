// SPDX-License-Identifier: Apache-2.0

/// Whose identity it is: one person at one backend.
public struct IdentityKey: Hashable, Sendable {
    /// The identity as the backend knows it, usually an e-mail address.
    public let userID: String
    /// The backend's URL without scheme and trailing slash (milagro protocol, section 8.3); in the trust dialects `#` and
    /// the project's id behind it.
    public let backend: String

    public init(userID: String, backend: String) {
        self.userID = userID
        self.backend = backend
    }
}
