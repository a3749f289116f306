// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues

/// Detects replies that belong to another request, by members that only such replies have.
///
/// The client needs some member of most replies, and refuses a reply without it. But the status alone answers some
/// requests: if a proxy swapped replies, anything would be a success for them.
enum ForeignReply {
    /// Members that other replies of the protocol must have (pass 2, shares, registrations, verifications, settings,
    /// sessions of browsers), and that none of these replies may have.
    private static let keys = [
        "authOTT", "timePermit", "clientSecret", "clientSecretShare", "dvsClientSecret", "dvsClientSecretShare",
        "secretUrls", "regOTT", "actToken", "mpinAuthServerURL", "rps_prefix", "webOTT", "authorizeURL",
    ]

    /// - Parameter body: of a reply with a successful status.
    /// - Throws: when it is the reply to another request.
    static func refuse(_ body: SecretBytes) throws(JSONError) {
        // Text that is not JSON is a page, not a reply of the protocol.
        guard let object = try? JSONObject(body) else { return }
        if let key = keys.first(where: { object.isPresent($0) }) {
            throw JSONError("the reply is one to another request: it has `\(key)`")
        }
        // An application's own reply may have a `y`. Only one with the form of a challenge is pass 1's.
        guard (try? object.challenge("y")) == nil else {
            throw JSONError("the reply is one to another request: it has a challenge")
        }
    }
}

extension RequestKind {
    /// Whether a success may have any body, or none.
    var isAnsweredByStatus: Bool {
        switch self {
        case .authenticate, .authenticateForCode, .applicationLogin, .logout, .codeStatus, .signingSession,
            .startVerification:
            true
        case .serviceDetails, .clientSettings, .projectConfiguration, .authorizationURL, .finishVerification,
            .register, .clientSecretShare1, .clientSecretShare2, .keyRegistration, .timePermitShare1,
            .timePermitStorage, .timePermitShare2, .pass1, .pass2, .registrationCode, .applicationAuthorization,
            .documentHash, .signatureCheck:
            false
        }
    }
}
