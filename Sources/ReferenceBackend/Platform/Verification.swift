// SPDX-License-Identifier: Apache-2.0

/// A user id that somebody claims and that was, or is to be, confirmed.
struct Verification: Sendable {
    static let lifetime = Duration.seconds(3600)

    let type: VerificationType
    /// The browser session that it began in.
    var accessID: String?
}
