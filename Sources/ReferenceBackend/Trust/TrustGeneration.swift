// SPDX-License-Identifier: Apache-2.0

/// The two generations of MIRACL's Trust platform that clients in use speak to. MIRACL protocol, sections 1 and 10.
enum TrustGeneration: String, Sendable, CaseIterable {
    /// From January 2023: registration in steps, errors that carry a request id.
    case trust2023 = "trust-2023"
    /// From July 2025: registration in one request beside the older one, errors as plain codes.
    case trust2025 = "trust-2025"
}
