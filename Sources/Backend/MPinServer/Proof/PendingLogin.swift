// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import MPinCrypto

/// Pass 1 of a login, which waits for pass 2. Pass 2 takes it, whether it is right or wrong.
struct PendingChallenge: Codable, Sendable {
    static let lifetime = Duration.seconds(15)

    let identity: MPinIdentity
    let commitment: StoredBytes
    /// Nil where time permits are not in use.
    var permittedCommitment: StoredBytes?
    /// Nil in the classic dialects, whose pass 1 does not name one.
    var purpose: LoginPurpose?
    let challenge: Challenge
}

/// The scope and the generation of a login.
struct LoginPurpose: Codable, Sendable {
    let scope: LoginScope
    let generation: PlatformGeneration
}

/// Both passes of a login, until the device hands its authOTT in. Until then the server itself does not know whether
/// the PIN was right. So neither the reply to pass 2 nor its time can reveal it.
package struct PendingLogin: Codable, Sendable {
    static let lifetime = Duration.seconds(60)

    let passOne: PendingChallenge
    let response: StoredBytes
    /// The days whose permits were valid when pass 2 arrived; nil if the clock knew no day.
    let days: [EpochDay]?
    /// The access code or number of the browser's session; nil for a plain login.
    var accessCode: String?
    /// The one-time password that the device has shown its person.
    var oneTimePassword: String?

    var mpinID: MPinID { passOne.identity.mpinID }

    /// A proof for each day whose permits are valid: two around midnight. Nil if the day is not known.
    var proofs: [TwoPassProof]? {
        guard let days: [EpochDay?] = passOne.permittedCommitment == nil ? [nil] : days else { return nil }
        return days.map { day in
            TwoPassProof(
                identity: passOne.identity, commitment: passOne.commitment.bytes,
                ut: passOne.permittedCommitment?.bytes, day: day, challenge: passOne.challenge, response: response.bytes
            )
        }
    }

    /// The lifetime of a one-time password.
    package static func passwordTimes(from now: WallTime) -> CodeTimes { CodeTimes(begins: now, lifetime: lifetime) }
}
