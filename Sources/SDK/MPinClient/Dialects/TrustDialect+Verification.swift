// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinCrypto

// docs/protocol/miracl.md, section 7.
extension TrustDialect {
    func startVerification(_ request: VerificationRequest) throws(MPinError) -> Exchange<VerificationStart> {
        var body = JSONBody([
            ("projectId", .text(project.id)), ("userId", .text(request.userID)),
            ("deviceName", .text(request.deviceName)),
        ])
        if let accessCode = request.accessCode { body.add("accessId", .accessCode(accessCode)) }
        if let mpinID = request.mpinID { body.add("mpinId", .hex(mpinID.bytes)) }
        if let deviceTag = configuration.deviceTag { body.add("deviceTag", .text(deviceTag)) }
        return Exchange(
            .startVerification, send(.post, body, to: address("/verification/email")), success: Self.success
        ) { object throws(JSONError) in
            VerificationStart(
                method: try VerificationStart.Method(object),
                backoff: try object.time("backoff").map(Inferred.seconds))
        }
    }

    func finishVerification(userID: String, code: SecretBytes) throws(MPinError) -> Exchange<VerificationResult> {
        var body = JSONBody([("userId", .text(userID)), ("code", .secretText(code))])
        if let deviceTag = configuration.deviceTag { body.add("deviceTag", .text(deviceTag)) }
        return Exchange(
            .finishVerification, send(.post, body, to: address("/verification/confirmation")), success: Self.success
        ) { object throws(JSONError) in
            let result = try VerificationResult(object)
            try requireProject(result.projectID)
            return result
        }
    }
}

extension VerificationStart.Method {
    /// Reads the reply about a mail that was sent. An unknown method is a link.
    init(_ object: JSONObject) throws(JSONError) {
        switch try object.firstString("method") {
        // Only login-kiosk's own backend sends this.
        case "code": self = object.parameter("link") == "true" ? .codeOrLink : .code
        default: self = .link
        }
    }
}
