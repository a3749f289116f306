// SPDX-License-Identifier: Apache-2.0

import BackendValues

/// A registration that waits for its mail's link, or was confirmed by a code. docs/protocol/miracl.md, section 8.2.
struct MailedRegistration: Codable, Sendable {
    static let lifetime = Duration.seconds(3600)

    let userID: String
    let regOTT: OneTimeToken
    let activateKey: String
    let verification: VerificationType
    var isActive: Bool
}

/// A registration of the first generation between its two requests.
struct PendingRegistration: Codable, Sendable {
    static let lifetime = Duration.seconds(600)

    let userID: String
    let regOTT: OneTimeToken
    let verification: VerificationType
}
