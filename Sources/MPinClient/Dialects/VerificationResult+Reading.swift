// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension VerificationResult {
    /// MIRACL protocol, section 7.
    init(_ object: JSONObject) throws(JSONError) {
        activationToken = try object.opaqueToken("actToken")
        let session = try object.firstString("accessId")
        accessCode = AccessCode(session)
        guard session.isEmpty || accessCode != nil else { throw JSONError("`accessId` is no access code") }
        expireTimeSeconds = try object.time("expireTime").map(Inferred.seconds)
        projectID = try object.shortText("projectId")
    }
}
