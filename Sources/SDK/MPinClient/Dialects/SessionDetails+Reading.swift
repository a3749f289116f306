// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinCrypto

extension SessionDetails {
    /// Reads the details of a session in any dialect. Missing values are empty. All known spellings of a key are
    /// accepted.
    init(_ object: JSONObject) throws(JSONError) {
        // The classic server capitalises the keys, which the classic client does not read.
        prerollID = try object.firstString("prerollId", "PrerollId")
        appName = try object.firstString("appName", "AppName", "projectName")
        appIconURL = try object.firstString("appLogoURL", "AppLogoUrl", "projectLogoURL")
        customerID = try object.firstString("customerId", "CustomerId")
        customerName = try object.firstString("customerName", "CustomerName")
        customerIconURL = try object.firstString("customerLogoURL", "CustomerLogoUrl")
        registerOnly = object.flag(Inferred.registerOnlyKeys)
        clientID = try object.firstString(Inferred.clientIDKeys)
        redirectURI = try object.firstString(Inferred.redirectURIKeys)
        projectID = try object.firstString("projectId")
        // Only a hint; the registration's reply decides.
        pinLength = try? object.pinLength("pinLength")
        verificationMethod =
            VerificationMethod(rawValue: try object.firstString("verificationMethod")) ?? .standardEmail
        verificationURL = try object.firstString("verificationURL")
        verificationCustomText = try object.firstString("verificationCustomText")
        identityType = IdentityType(rawValue: try object.firstString("identityType")) ?? .email
        identityTypeLabel = try object.firstString("identityTypeLabel")
        enableRegistrationCode = object.flag(["enableRegistrationCode"])
        limitRegCodeVerified = object.flag(["limitRegCodeVerified"])
        description = try object.firstString("description")
        // Only login-kiosk's own backend sends these.
        isUserVerified = object.flag(["userVerified"])
        browserLocation = BrowserLocation(rawValue: try object.firstString("browserLocation")) ?? .unknown
        isBrowserRefused = object.flag(["browserRefused"])
        isCodeExpired = object.flag(["codeExpired"])
        // The digest to sign is never guessed: one of the right length, or none.
        hash =
            try object.optionalString("hash")?.isEmpty ?? true
            ? "" : Hexadecimal.text(try object.bytes("hash", counts: DocumentDigest.length...DocumentDigest.length))
    }
}

extension JSONObject {
    /// Whether the first present key of these is true.
    fileprivate func flag(_ keys: [String]) -> Bool {
        keys.lazy.compactMap { parameter($0) }.first == "true"
    }
}
