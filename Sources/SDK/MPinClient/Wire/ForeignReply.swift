// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Replies that belong to another request, told by what only they say.
///
/// Of most replies the client needs a member, and one without it is none. Some requests are answered by the status
/// alone: a proxy that lost count, and gives them the reply to another request, would make a success of anything.
enum ForeignReply {
    /// Members that the protocol's other replies must have (pass 2, shares, registrations, verifications, settings,
    /// sessions of browsers), and that none of these replies may have.
    private static let keys = [
        "authOTT", "timePermit", "clientSecret", "clientSecretShare", "dvsClientSecret", "dvsClientSecretShare",
        "secretUrls", "regOTT", "actToken", "mpinAuthServerURL", "rps_prefix", "webOTT", "authorizeURL",
    ]

    /// - Parameter body: of a reply whose status is a success.
    /// - Throws: when it is the reply to another request.
    static func refuse(_ body: SecretBytes) throws(JSONError) {
        // What is no JSON is a page, and no reply of the protocol's.
        guard let object = try? JSONObject(body) else { return }
        if let key = keys.first(where: { object.isPresent($0) }) {
            throw JSONError("the reply is one to another request: it has `\(key)`")
        }
        // An application's own reply may have a `y`; a challenge of pass 1 is one by its form.
        guard (try? object.challenge("y")) == nil else {
            throw JSONError("the reply is one to another request: it has a challenge")
        }
    }
}

extension RequestKind {
    /// Whether a success may say anything, or nothing.
    var isAnsweredByStatus: Bool {
        switch self {
        case .authenticate, .authenticateForCode, .applicationLogin, .logout, .codeStatus, .signingSession,
            .startVerification:
            true
        case .serviceDetails, .clientSettings, .projectConfiguration, .authorizationURL, .finishVerification,
            .register, .clientSecretShare1, .clientSecretShare2, .keyRegistration, .timePermitShare1,
            .timePermitStorage, .timePermitShare2, .pass1, .pass2, .quickCode, .applicationAuthorization,
            .documentHash, .signatureCheck:
            false
        }
    }
}
