// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// Values that a started registration is known by.
struct RegistrationReply {
    let mpinID: MPinID
    /// How the secret is fetched.
    let access: Access
    /// Whether the identity needs no activation mail.
    let isActive: Bool
    var expires: Expiration?
    /// How many digits the server wants of the PIN; nil when it does not care.
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

    /// Reads the members that the reply to a registration may have in every dialect.
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
