// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinCrypto

// docs/protocol/milagro.md, section 6.
extension ClassicDialect {
    func register(_ request: RegistrationRequest) throws(MPinError) -> Exchange<RegistrationReply> {
        var url = settings.registerURL
        var body = JSONBody(["userId": .text(request.userID), "mobile": .number(1)])
        if !request.deviceName.isEmpty { body.add("deviceName", .text(request.deviceName)) }
        if let userData = request.userData, !userData.isEmpty { body.add("userData", .text(userData)) }
        if let activateCode = request.activateCode, activateCode.count > 0 {
            body.add("activateCode", .secretText(activateCode))
        }
        if let (mpinID, regOTT) = request.restarted {
            url = try MPinError.address(url, "/\(Hexadecimal.text(mpinID.bytes))", for: .register)
            body.add("regOTT", .secretText(regOTT))
        }
        for (key, value) in ownMembers(of: request) { body.add(key, value) }
        return Exchange(.register, send(.put, body, to: url), success: Self.success) {
            object throws(JSONError) in
            var reply = RegistrationReply(
                mpinID: try object.mpinID("mpinId"),
                access: .token(try object.token("regOTT", digits: Self.tokenDigits)),
                isActive: try object.boolean("active"))
            try reply.readCommonKeys(object)
            return reply
        }
    }

    func firstSecretShare(_ request: FirstShareRequest) throws(MPinError) -> Exchange<SecretOffer> {
        let url = try request.address(below: settings.signatureURL)
        let certivoxURL = settings.certivoxURL
        // The reply uses up the registration.
        return Exchange(.clientSecretShare1, get(url, isRepeatable: false), success: Self.success) {
            object throws(JSONError) in
            try ShareReplyFormat.classic.require(of: object)
            // The server built and encoded the query; it is used unchanged.
            let second = try certivoxURL.request("clientSecret", query: try object.string("params"))
            return SecretOffer(
                mpinID: request.mpinID, share: try object.clientSecretShare("clientSecretShare"), urls: [second],
                dtas: nil)
        }
    }
}
