// SPDX-License-Identifier: Apache-2.0

import Encoding
import Sealing

/// The `sub` of a user: at most 255 ASCII characters (OpenID Connect Core, section 2).
package enum SubjectIdentifier {
    private static let longest = 255
    private static let prefix = "sha256-"

    /// The user id itself, if it is ASCII and not too long, else a digest of it. It is always the same for a user, and
    /// never another user's: an id in the form of a digest gives a digest as well.
    package static func text(for userID: String) -> String {
        let isPlain = userID.utf8.count <= longest && userID.utf8.allSatisfy { (0x20...0x7e).contains($0) }
        guard !isPlain || userID.hasPrefix(prefix) else { return userID }
        return prefix + Base64.urlText(Digest.sha256(Array(userID.utf8)))
    }
}
