// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinCrypto

// docs/protocol/miracl.md, sections 7 and 8.2.
extension MFAv2Dialect {
    func startVerification(_ request: VerificationRequest) throws(MPinError) -> Exchange<VerificationStart> {
        let url = try MPinError.address(settings.backend, "/verification", for: .startVerification)
        var body = JSONBody([("userId", .text(request.userID))])
        if let clientID = configuration.companyID { body.add("clientId", .text(clientID)) }
        if let accessCode = request.accessCode { body.add("accessId", .accessCode(accessCode)) }
        body.add("deviceName", .text(request.deviceName))
        let call = Call(kind: .startVerification, request: send(.post, body, to: url))
        return Exchange(call: call, success: Self.success) { body throws(JSONError) in
            // The platform of that time answers nothing, and its mails have links.
            let method = (try? JSONObject(body)).flatMap { try? VerificationStart.Method($0) }
            return VerificationStart(method: method ?? .link, backoff: nil)
        }
    }

    func finishVerification(userID: String, code: SecretBytes) throws(MPinError) -> Exchange<VerificationResult> {
        let url = try MPinError.address(settings.backend, "/verification/confirmation", for: .finishVerification)
        let body = JSONBody([("userId", .text(userID)), ("code", .secretText(code))])
        return Exchange(.finishVerification, send(.post, body, to: url), success: Self.success) {
            object throws(JSONError) in try VerificationResult(object)
        }
    }

    func register(_ request: RegistrationRequest) throws(MPinError) -> Exchange<RegistrationReply> {
        var url = settings.registerURL
        var body = JSONBody([("userId", .text(request.userID))])
        if let accessCode = request.accessCode { body.add("wid", .accessCode(accessCode)) }
        body.add("mobile", .number(1))
        body.add("deviceName", .text(request.deviceName))
        if let userData = request.userData, !userData.isEmpty { body.add("userData", .text(userData)) }
        if let activateCode = request.activateCode, activateCode.count > 0 {
            body.add("activateCode", .secretText(activateCode))
        }
        if let identifier = request.pushIdentifier, !identifier.isEmpty { body.add("pushToken", .text(identifier)) }
        if let (mpinID, regOTT) = request.restarted {
            url = try MPinError.address(url, "/\(Hexadecimal.text(mpinID.bytes))", for: .register)
            body.add("regOTT", .secretText(regOTT))
        }
        return Exchange(.register, send(.put, body, to: url), success: Self.success) { object throws(JSONError) in
            var reply = RegistrationReply(
                mpinID: try object.mpinID("mpinId"), access: .token(try object.opaqueToken("regOTT")),
                // A code makes the identity confirmable, even if the reply does not say so.
                isActive: try object.optionalBoolean("active") ?? (request.activateCode != nil))
            try reply.readCommonKeys(object)
            return reply
        }
    }

    func firstSecretShare(_ request: FirstShareRequest) throws(MPinError) -> Exchange<SecretOffer> {
        let url = try request.address(below: settings.signatureURL)
        // The reply uses up the registration.
        return Exchange(.clientSecretShare1, get(url, isRepeatable: false), success: Self.success) {
            object throws(JSONError) in
            try ShareReplyFormat.mfaV2.require(of: object)
            try object.requireCurve()
            return SecretOffer(
                mpinID: request.mpinID, share: try object.clientSecretShare("clientSecretShare"),
                urls: [try object.address("cs2url")], dtas: try object.issuers("dtas"))
        }
    }
}
