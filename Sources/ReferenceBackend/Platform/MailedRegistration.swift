// SPDX-License-Identifier: Apache-2.0

/// A registration that is confirmed by the link in a mail, or was by a code. MIRACL protocol, section 8.2.
struct MailedRegistration: Sendable {
    static let lifetime = Duration.seconds(3600)

    let userID: String
    let regOTT: OneTimeToken
    let activateKey: String
    let verification: VerificationType
    var isActive: Bool
}
