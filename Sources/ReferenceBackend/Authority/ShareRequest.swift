// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The signed queries by which a client fetches its halves from a D-TA. The RPS makes them, a D-TA checks them.
///
/// The signed text begins with the primitive's name, not with the URL's path, so that a D-TA may be mounted anywhere.
/// Milagro protocol, section 11.4; it differs for permits, whose signature covers the day and so ends with it.
struct ShareRequest: Sendable {
    static let clientSecretLifetime = Duration.seconds(60)

    let credentials: AppCredentials

    /// The query that fetches client secret shares until 60 seconds from `now`.
    func clientSecretQuery(for identity: HashedIdentity, mobile: Int64, now: WallTime) -> String {
        let expires = (now + Self.clientSecretLifetime).zonedText
        let hash = Hexadecimal.text(identity.bytes)
        return FormFields.text([
            ("app_id", credentials.appID), ("expires", expires), ("hash_mpin_id", hash), ("hash_user_id", ""),
            ("mobile", String(mobile)),
            ("signature", credentials.signature(of: clientSecretText(hash: hash, hashedUser: "", expires: expires))),
        ])
    }

    /// The signature that fetches time permit shares for one day.
    func timePermitSignature(for identity: HashedIdentity, on day: EpochDay) -> String {
        credentials.signature(of: timePermitText(hash: Hexadecimal.text(identity.bytes), day: day))
    }

    func clientSecretText(hash: String, hashedUser: String, expires: String) -> String {
        "clientSecret" + credentials.appID + hash + hashedUser + expires
    }

    func timePermitText(hash: String, day: EpochDay) -> String { "timePermit" + hash + String(day.value) }
}
