// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinCrypto

/// Today's platform until 2025: registration as in older dialects, with a key (docs/protocol/miracl.md, section 8.3).
struct Trust2023Dialect: TrustDialect {
    static let name = DialectName.trust2023

    let project: TrustProject
    let configuration: MPin.Configuration

    var keyURL: WebAddress? { address("/rps/v2/dvsregister") }
    var signingChannels: [SigningSession.Channel] { [.dvsSession, .codeStatus] }

    func register(_ request: RegistrationRequest) throws(MPinError) -> Exchange<RegistrationReply> {
        var body = JSONBody([("userId", .text(request.userID)), ("deviceName", .text(request.deviceName))])
        if let activateCode = request.activateCode { body.add("activateCode", .secretText(activateCode)) }
        if let identifier = request.pushIdentifier, !identifier.isEmpty { body.add("pushToken", .text(identifier)) }
        return Exchange(.register, send(.put, body, to: address("/rps/v2/user")), success: Self.success) {
            object throws(JSONError) in
            var reply = RegistrationReply(
                mpinID: try object.mpinID("mpinId"), access: .token(try object.opaqueToken("regOTT")), isActive: true)
            try reply.readCommonKeys(object)
            try requireProject(reply.projectID)
            return reply
        }
    }

    func firstSecretShare(_ request: FirstShareRequest) throws(MPinError) -> Exchange<SecretOffer> {
        let url = try request.address(below: address("/rps/v2/signature"))
        // The reply uses up the registration.
        return Exchange(.clientSecretShare1, get(url, isRepeatable: false), success: Self.success) {
            object throws(JSONError) in
            try ShareReplyFormat.trust.require(of: object)
            return try designatedOffer(object, for: request.mpinID)
        }
    }
}
