// SPDX-License-Identifier: Apache-2.0

/// Why a text cannot be signed here.
public enum DocumentTextError: Error, Hashable, Sendable {
    case empty
    /// With the number of its bytes.
    case tooLong(Int)
    /// What cannot be read must not be signed.
    case notUTF8
}

extension DocumentTextError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "there is no text in it"
        case .tooLong(let count):
            "it has \(count) bytes, and more than \(DocumentText.maximumLength) are not shown; sign a shorter text"
        case .notUTF8: "it is not UTF-8, so that it cannot be shown as it is; save it as UTF-8"
        }
    }
}
