// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

// Milagro protocol, section 6.
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
            url = try MPinError.address(url, "/\(Hex.text(mpinID.bytes))", for: .register)
            body.add("regOTT", .secretText(regOTT))
        }
        for (key, value) in ownMembers(of: request) { body.add(key, value) }
        return Exchange(.register, send(.put, body, to: url), success: Self.success) {
            object throws(JSONError) in
            var expires: Expiration?
            if let end = try object.time("expireTime"), let now = try object.time("nowTime") {
                expires = Expiration(expireTimeSeconds: end, nowTimeSeconds: now)
            }
            return RegistrationReply(
                mpinID: MPinID(try object.bytes("mpinId", counts: Self.mpinIDLengths)),
                regOTT: try object.token("regOTT", digits: Self.tokenDigits),
                isActive: try object.boolean("active"), expires: expires)
        }
    }

    func firstSecretShare(
        of mpinID: MPinID, regOTT: SecretBytes, pushIdentifier: String?
    ) throws(MPinError) -> Exchange<FirstSecretShare> {
        let token = regOTT.withBytes { digits in
            String(decoding: digits.indices.map { digits[$0] }, as: UTF8.self)
        }
        var query = "regOTT=\(token)"
        if let pushIdentifier, !pushIdentifier.isEmpty { query += "&pmiToken=\(PercentEncoding.text(pushIdentifier))" }
        let url = try MPinError.address(
            settings.signatureURL, "/\(Hex.text(mpinID.bytes))?\(query)", for: .clientSecretShare1)
        let certivoxURL = settings.certivoxURL
        // Answering it uses the registration up.
        let request = get(url, isRepeatable: false)
        return Exchange(.clientSecretShare1, request, success: Self.success) { object throws(JSONError) in
            FirstSecretShare(
                share: try object.clientSecretShare("clientSecretShare"),
                // Ready-made and encoded by the server: used as it is.
                secondShareURL: try certivoxURL.request("clientSecret", query: try object.string("params")))
        }
    }

    func secondSecretShare(_ first: FirstSecretShare) -> Exchange<ClientSecretShare> {
        Exchange(.clientSecretShare2, get(first.secondShareURL), success: Self.success) {
            object throws(JSONError) in try object.clientSecretShare("clientSecret")
        }
    }
}
