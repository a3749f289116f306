// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension ServerRefusal {
    /// Reads the body of an unsuccessful reply: `{error, info, context?}`, or the same within `{requestID, error:
    /// {code, info, context?}}` (docs/protocol/miracl.md, section 2).
    ///
    /// - Returns: nil for another body or an unknown code; then the status code alone decides.
    init?(_ body: SecretBytes) {
        guard let object = try? JSONObject(body) else { return nil }
        let spelling: String?
        let details: JSONObject
        if let nested = try? object.optionalObject("error") {
            details = nested
            spelling = (try? nested.optionalString("code")).flatMap { $0 }
        } else {
            details = object
            spelling = (try? object.optionalString("error")).flatMap { $0 }
        }
        guard let spelling else { return nil }
        self.init(spelling, (try? details.optionalObject("context")).flatMap { $0 })
    }

    /// - Parameter spelling: the code as servers write it today, or wrote it before.
    private init?(_ spelling: String, _ context: JSONObject?) {
        switch spelling {
        case "EXPIRED_MPINID", "MPINID_EXPIRED": self = .expiredMPinID
        case "REVOKED_MPINID", "MPINID_REVOKED": self = .revokedMPinID
        case "UNSUCCESSFUL_AUTHENTICATION", "INVALID_AUTH": self = .unsuccessfulAuthentication
        case "INVALID_AUTHENTICATION_SESSION", "INVALID_AUTH_SESSION": self = .invalidAuthenticationSession
        // Signing sessions are requested by `id`: the server knows no session with it.
        case "INVALID_REQUEST_PARAMETERS" where context?.parameter("params") == "id":
            self = .invalidAuthenticationSession
        case "LIMITED_QUICKCODE_GENERATION": self = .limitedQuickCodeGeneration
        case "INVALID_ACTIVATION_TOKEN": self = .invalidActivationToken
        case "REQUEST_BACKOFF", "BACKOFF_ERROR":
            self = .requestBackoff(until: context?.parameter("backoff").flatMap { Int64($0) })
        case "UNSUCCESSFUL_VERIFICATION", "INVALID_VERIFICATION_CODE":
            self = .unsuccessfulVerification(
                projectID: context?.parameter("projectId"),
                accessCode: context?.parameter("accessId").flatMap { AccessCode($0) })
        default: return nil
        }
    }
}
