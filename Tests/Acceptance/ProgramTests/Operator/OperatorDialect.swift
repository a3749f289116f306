// SPDX-License-Identifier: Apache-2.0

/// A dialect of the backend, and its differences for operators.
enum OperatorDialect: String, CaseIterable, Sendable {
    case milagro
    case mfaV1 = "mfa-v1"
    case mfaV2 = "mfa-v2"
    case trust2023 = "trust-2023"
    case trust2025 = "trust-2025"

    var isTrust: Bool { self == .trust2023 || self == .trust2025 }
    /// The company that devices must name.
    var companyID: String? { self == .mfaV1 || self == .mfaV2 ? "acme" : nil }
    /// The option that names the company, for the backend and for devices.
    var companyOption: [String] { companyID.map { ["--company-id", $0] } ?? [] }
    /// Whether identities are registered only for the session of a page.
    var registersForPages: Bool { companyID != nil }
    var hasPasswords: Bool { !isTrust }
    var hasCodesForDevices: Bool { isTrust || self == .mfaV2 }
    var canSign: Bool { isTrust || self == .mfaV2 }
}
