// SPDX-License-Identifier: Apache-2.0

/// The first generation's registration between its two requests.
struct PendingRegistration: Sendable {
    static let lifetime = Duration.seconds(600)

    let userID: String
    let regOTT: OneTimeToken
    let verification: VerificationType
}
