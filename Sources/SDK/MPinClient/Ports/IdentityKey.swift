// SPDX-License-Identifier: Apache-2.0

/// Key of an identity: one person at one backend.
public struct IdentityKey: Hashable, Sendable {
    /// The identity as the backend knows it, usually an e-mail address.
    public let userID: String
    /// The backend's URL without scheme and trailing slash (docs/protocol/milagro.md, section 8.3); in the trust
    /// dialects followed by `#` and the project's id.
    public let backend: String

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - userID: the identity as the backend knows it, usually an e-mail address.
    ///   - backend: the backend's URL without scheme and trailing slash; in the trust dialects followed by `#` and the
    ///     project's id.
    public init(userID: String, backend: String) {
        self.userID = userID
        self.backend = backend
    }

    /// Compares bytes, as stores and backends do; strings compare by canonical equivalence.
    public static func == (left: IdentityKey, right: IdentityKey) -> Bool {
        left.userID.utf8.elementsEqual(right.userID.utf8) && left.backend.utf8.elementsEqual(right.backend.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        for text in [userID, backend] {
            hasher.combine(text.utf8.count)
            for byte in text.utf8 { hasher.combine(byte) }
        }
    }
}
