// SPDX-License-Identifier: Apache-2.0

/// The generations of the protocol (docs/protocol/miracl.md, section 1). Each identity keeps the one it was registered
/// with. Records hold these names.
public enum DialectName: String, Sendable, CaseIterable {
    /// The classic servers of 2014 to 2016.
    case milagro
    /// MIRACL's platform from 2016 to 2018: the classic requests without time permits.
    case mfaV1 = "mfa-v1"
    /// The platform from 2018 to 2022: scopes, issued `dtas`, separate signing identities.
    case mfaV2 = "mfa-v2"
    /// Today's platform until 2025: fixed paths, projects, one identity for logging in and signing.
    case trust2023 = "trust-2023"
    /// Today's platform: registration in one request, signing sessions by `codeStatus`.
    case trust2025 = "trust-2025"

    var isTrust: Bool { self == .trust2023 || self == .trust2025 }
}
