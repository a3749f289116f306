// SPDX-License-Identifier: Apache-2.0

extension Backend {
    /// What the backend and its devices say to each other.
    public enum Dialect: String, Sendable, CaseIterable {
        /// The classic Milagro protocol with time permits.
        case milagro
        /// The same without time permits. A revoked identity is refused at the final step only.
        case milagroWithoutPermits = "milagro-without-permits"
        /// MIRACL's platform from 2016 to 2018: no time permits, devices that name their company, registrations that
        /// belong to a browser session, authorization codes. Needs a company id.
        case mfaV1 = "mfa-v1"
        /// MIRACL's platform from 2018 to 2022. Devices name their company, which is the project.
        case mfaV2 = "mfa-v2"
        /// MIRACL's platform from 2023. Every dialect of the platform is also spoken below a path of its own, `/trust-2023`
        /// and so on; this one then is what the origin speaks.
        case trust2023 = "trust-2023"
        /// MIRACL's platform of today.
        case trust2025 = "trust-2025"

        /// Nil where the classic RPS answers.
        var platformGeneration: PlatformGeneration? { PlatformGeneration(rawValue: rawValue) }

        var usesTimePermits: Bool { self == .milagro }
    }
}
