// SPDX-License-Identifier: Apache-2.0

import Encoding

/// The path below which a backend's API lives, `rps` as a rule.
enum RPSPrefix {
    static func trimmed(_ prefix: String) -> Substring {
        var rest = prefix[...]
        while rest.hasPrefix("/") { rest.removeFirst() }
        while rest.hasSuffix("/") { rest.removeLast() }
        return rest
    }

    /// Accepts path components of letters, digits, `.`, `_`, `~` and `-`, and none that climbs: the prefix must not
    /// lead out of the backend's path or become a query.
    static func isValid(_ prefix: String) -> Bool {
        guard prefix.utf8.count <= 128 else { return false }
        let path = trimmed(prefix)
        guard !path.isEmpty else { return true }
        return path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { component in
            !component.isEmpty && component != "." && component != ".."
                && component.utf8.allSatisfy(PercentEncoding.isUnreserved)
        }
    }
}
