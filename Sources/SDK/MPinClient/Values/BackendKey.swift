// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// The part of an identity's key that names the backend: its URL without scheme and trailing slashes
/// (docs/protocol/milagro.md, section 8.3). In the trust dialects, where many projects may share a URL, `#` and the
/// project follow.
struct BackendKey: Hashable {
    let url: String
    /// Empty in dialects without projects.
    let projectID: String

    init(_ address: WebAddress, projectID: String = "") {
        url = String(address.base.absoluteText.dropFirst("\(address.origin.scheme.rawValue)://".utf8.count))
        self.projectID = projectID
    }

    /// - Parameter text: from ``text``.
    init(_ text: String) {
        // An address has no fragment.
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        url = String(parts[0])
        projectID = parts.count > 1 ? String(parts[1]) : ""
    }

    var text: String { projectID.isEmpty ? url : "\(url)#\(projectID)" }
}
