// SPDX-License-Identifier: Apache-2.0

/// How an identity was verified when it was registered: `vt` of its mpin_id (MIRACL protocol, section 2).
public enum VerificationType: String, Sendable {
    case email = "em"
    case registrationCode = "rc"
    /// By the relying party itself.
    case custom = "pv"
    /// An identity that was made for signing.
    case signing = "dvs"
}
