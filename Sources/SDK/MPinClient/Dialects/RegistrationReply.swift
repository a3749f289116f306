// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinCrypto

/// The server's answer to a started registration.
struct RegistrationReply {
    let mpinID: MPinID
    /// The way to fetch the secret.
    let access: Access
    /// Whether the identity needs no activation mail.
    let isActive: Bool
    var expires: Expiration?
    /// The number of digits that the server wants of the PIN; nil for any.
    var pinLength: Int?
    var customerID = ""
    var appID = ""
    var projectID = ""
    var verificationType: VerificationType?

    enum Access {
        /// One-time token of the registration, as the text that the server compares.
        case token(SecretBytes)
        /// Both shares can be fetched at once.
        case offer(SecretOffer)
    }

    init(mpinID: MPinID, access: Access, isActive: Bool) {
        self.mpinID = mpinID
        self.access = access
        self.isActive = isActive
    }

    /// Reads members that replies to registrations may have in every dialect.
    mutating func readCommonKeys(_ object: JSONObject) throws(JSONError) {
        if let end = try object.time("expireTime"), let now = try object.time("nowTime") {
            expires = Expiration(expireTimeSeconds: end, nowTimeSeconds: now)
        }
        pinLength = try object.pinLength("pinLength")
        customerID = try object.shortText("customerId")
        appID = try object.shortText("appId")
        projectID = try object.shortText("projectId")
        verificationType = object.parameter("verificationType").flatMap { VerificationType(rawValue: $0) }
    }
}
