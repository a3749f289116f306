// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension ServerRefusal.Code {
    /// - Parameter spelling: the code as servers write it today, or wrote it before.
    init?(spelling: String) {
        switch spelling {
        case "MPINID_EXPIRED": self = .expiredMPinID
        case "MPINID_REVOKED": self = .revokedMPinID
        case "INVALID_AUTH": self = .unsuccessfulAuthentication
        case "INVALID_AUTH_SESSION": self = .invalidAuthenticationSession
        case "BACKOFF_ERROR": self = .requestBackoff
        case "INVALID_VERIFICATION_CODE": self = .unsuccessfulVerification
        default: self.init(rawValue: spelling)
        }
    }
}

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
        let context = (try? details.optionalObject("context")).flatMap { $0 }
        // Signing sessions are requested by `id`: the server knows none of that name.
        let namesNoSession = spelling == "INVALID_REQUEST_PARAMETERS" && context?.parameter("params") == "id"
        guard let spelling, let code = namesNoSession ? .invalidAuthenticationSession : Code(spelling: spelling) else {
            return nil
        }
        self.init(
            code, backoff: context?.parameter("backoff").flatMap { Int64($0) },
            projectID: context?.parameter("projectId"),
            accessCode: context?.parameter("accessId").flatMap { AccessCode($0) })
    }
}
