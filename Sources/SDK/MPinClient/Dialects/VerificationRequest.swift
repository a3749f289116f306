// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinCrypto

/// Values of the request to verify an identity.
struct VerificationRequest {
    let userID: String
    let deviceName: String
    /// The session that the verification belongs to.
    let accessCode: AccessCode?
    /// The identity of this device for which the person wants to choose a new PIN.
    let mpinID: MPinID?
}

extension VerificationResult {
    /// docs/protocol/miracl.md, section 7.
    init(_ object: JSONObject) throws(JSONError) {
        activationToken = try object.opaqueToken("actToken")
        let session = try object.firstString("accessId")
        accessCode = AccessCode(session)
        guard session.isEmpty || accessCode != nil else { throw JSONError("`accessId` is not an access code") }
        expireTimeSeconds = try object.time("expireTime").map(Inferred.seconds)
        projectID = try object.shortText("projectId")
    }
}
