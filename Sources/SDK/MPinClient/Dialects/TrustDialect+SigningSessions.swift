// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues

// docs/protocol/miracl.md, section 12.5. The two generations of the platform reach signing sessions in different ways;
// each dialect tries its own one first.
extension TrustDialect {
    func signingSession(for code: AccessCode, by channel: SigningSession.Channel) -> Exchange<SigningSession?> {
        let read = { (object: JSONObject) throws(JSONError) -> SigningSession? in
            let details = try SessionDetails(object)
            try requireProject(details.projectID)
            guard details.isSigningSession else { return nil }
            return SigningSession(
                accessCode: code, details: details, userID: try object.firstString("userID", "userId"),
                isSigned: try object.firstString("status") == "signed",
                expireTimeSeconds: try object.time("expireTime").map(Inferred.seconds), channel: channel)
        }
        let request: HTTPRequest
        switch channel {
        case .codeStatus: request = codeStatus("wid", code)
        case .dvsSession:
            request = send(
                .post, JSONBody([("id", .accessCode(code))]), to: address("/dvs/session/details"), isRepeatable: true)
        }
        return Exchange(.signingSession, request, success: Self.success, reading: read)
    }

    func complete(_ session: SigningSession, with signature: DVSSignature) -> Exchange<Void> {
        let code = session.accessCode
        switch session.channel {
        case .codeStatus:
            let text = Base64.text(signature.jsonWithTimestamp.utf8)
            return end(codeStatus("signed", code, [("signature", .text(text))]))
        case .dvsSession:
            let signed: [JSONBody.Member] = [
                ("id", .accessCode(code)), ("signature", .json(JSONBody(signature.members).encoded())),
                ("timestamp", .number(Int(signature.timestamp))),
            ]
            return end(send(.put, JSONBody(signed), to: address("/dvs/session")))
        }
    }

    func abortSigningSession(_ session: SigningSession) -> Exchange<Void> {
        let code = session.accessCode
        return switch session.channel {
        case .codeStatus: end(codeStatus("abort", code))
        case .dvsSession: end(send(.delete, JSONBody([("id", .accessCode(code))]), to: address("/dvs/session")))
        }
    }

    /// Succeeds with any body.
    private func end(_ request: HTTPRequest) -> Exchange<Void> {
        Exchange(call: Call(kind: .signingSession, request: request), success: Self.success) { _ throws(JSONError) in }
    }

    private func codeStatus(_ status: String, _ code: AccessCode, _ more: [JSONBody.Member] = []) -> HTTPRequest {
        let body = JSONBody([("status", .text(status)), ("wid", .accessCode(code))] + more)
        return send(.post, body, to: address("/rps/v2/codeStatus"), isRepeatable: status == "wid")
    }
}
