// SPDX-License-Identifier: Apache-2.0

/// How it was made sure who registers; part of the mpin_id. MIRACL protocol, section 2.
enum VerificationType: String, Sendable {
    case email = "em"
    /// A code that another device of the same user issued.
    case registrationCode = "rc"
    /// The relying party vouches.
    case custom = "pv"
    /// An identity for signatures alone, which a login identity made.
    case signing = "dvs"
}
