// SPDX-License-Identifier: Apache-2.0

import Encoding

/// Verdict of an application's server on a signature (docs/protocol/miracl.md, section 15).
public enum SignatureVerdict: String, Sendable, CaseIterable {
    /// The signature is valid.
    case valid = "ValidSignature"
    /// The PIN for signing was wrong.
    case badPIN = "BadPin"
    /// The signer is blocked.
    case userBlocked = "UserBlocked"
    /// There was no signature.
    case missing = "MissingSignature"
    /// The signature is invalid, or the server gave an unknown reason.
    case invalid = "InvalidSignature"

    /// Reads `{verified, status}`. An unknown status is an invalid signature.
    init(_ object: JSONObject) throws(JSONError) {
        let isVerified = try object.boolean("verified")
        let status = try object.optionalString("status").map { SignatureVerdict(rawValue: $0) ?? .invalid }
        self = status ?? (isVerified ? .valid : .invalid)
        guard isVerified == (self == .valid) else { throw JSONError("`verified` and `status` contradict each other") }
    }
}
