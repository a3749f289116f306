// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

// Milagro protocol, section 6.
extension MilagroDialect {
    func register(_ request: RegistrationRequest) throws(MPinError) -> Exchange<RegistrationReply> {
        var url = settings.registerURL
        var body = JSONBody(["userId": .text(request.userID), "mobile": .number(1)])
        if !request.deviceName.isEmpty { body.add("deviceName", .text(request.deviceName)) }
        if let userData = request.userData, !userData.isEmpty { body.add("userData", .text(userData)) }
        if let activateCode = request.activateCode, activateCode.count > 0 {
            body.add("activateCode", .secretText(activateCode))
        }
        if let (mpinID, regOTT) = request.restarted {
            url = try MPinError.address(url, "/\(Hex.text(mpinID.bytes))", for: .register)
            body.add("regOTT", .secretText(regOTT))
        }
        return Exchange(.register, send(.put, body, to: url), success: MilagroDialect.success) {
            object throws(JSONError) in
            var expires: Expiration?
            if let end = try object.time("expireTime"), let now = try object.time("nowTime") {
                expires = Expiration(expireTimeSeconds: end, nowTimeSeconds: now)
            }
            return RegistrationReply(
                mpinID: MPinID(try object.bytes("mpinId", counts: MilagroDialect.mpinIDLengths)),
                regOTT: try object.token("regOTT", digits: MilagroDialect.tokenDigits),
                isActive: try object.boolean("active"), expires: expires)
        }
    }

    func firstSecretShare(
        of mpinID: MPinID, regOTT: SecretBytes
    ) throws(MPinError) -> Exchange<FirstSecretShare> {
        let token = regOTT.withBytes { digits in
            String(decoding: digits.indices.map { digits[$0] }, as: UTF8.self)
        }
        let url = try MPinError.address(
            settings.signatureURL, "/\(Hex.text(mpinID.bytes))?regOTT=\(token)", for: .clientSecretShare1)
        let certivoxURL = settings.certivoxURL
        // Answering it uses the registration up.
        let request = get(url, isRepeatable: false)
        return Exchange(.clientSecretShare1, request, success: MilagroDialect.success) { object throws(JSONError) in
            FirstSecretShare(
                share: try object.clientSecretShare("clientSecretShare"),
                // Ready-made and encoded by the server: used as it is.
                secondShareURL: try certivoxURL.request("clientSecret", query: try object.string("params")))
        }
    }

    func secondSecretShare(_ first: FirstSecretShare) -> Exchange<ClientSecretShare> {
        Exchange(.clientSecretShare2, get(first.secondShareURL), success: MilagroDialect.success) {
            object throws(JSONError) in try object.clientSecretShare("clientSecret")
        }
    }
}
