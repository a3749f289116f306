// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinCrypto

/// Today's platform: one request registers, two fetch the shares (docs/protocol/miracl.md, section 8.4).
struct Trust2025Dialect: TrustDialect {
    static let name = DialectName.trust2025

    let project: TrustProject
    let configuration: MPin.Configuration

    var keyURL: WebAddress? { address("/registration") }
    var signingChannels: [SigningSession.Channel] { [.codeStatus, .dvsSession] }

    func register(_ request: RegistrationRequest) throws(MPinError) -> Exchange<RegistrationReply> {
        var body = JSONBody([("userId", .text(request.userID)), ("deviceName", .text(request.deviceName))])
        if let activateCode = request.activateCode { body.add("activationToken", .secretText(activateCode)) }
        if let publicKey = request.publicKey { body.add("publicKey", .hex(publicKey.bytes)) }
        if let identifier = request.pushIdentifier, !identifier.isEmpty { body.add("pushToken", .text(identifier)) }
        if let deviceTag = configuration.deviceTag { body.add("deviceTag", .text(deviceTag)) }
        return Exchange(.register, send(.post, body, to: address("/registration")), success: Self.success) {
            object throws(JSONError) in
            var reply = RegistrationReply(
                mpinID: try object.mpinID("mpinId"), access: .offer(try offer(object)), isActive: true)
            try reply.readCommonKeys(object)
            try requireProject(reply.projectID)
            return reply
        }
    }

    /// Registers again, with the token from the login (docs/protocol/miracl.md, section 13).
    func registerKey(_ request: KeyRequest) throws(MPinError) -> Exchange<SecretOffer> {
        let registration = try register(
            RegistrationRequest(
                userID: request.userID, deviceName: request.deviceName, activateCode: request.token,
                publicKey: request.publicKey))
        return Exchange(.keyRegistration, registration.call.request, success: Self.success) {
            object throws(JSONError) in
            try requireProject(try object.shortText("projectId"))
            return try offer(object)
        }
    }

    /// Always throws: the registration's reply names the addresses of both shares.
    func firstSecretShare(_: FirstShareRequest) throws(MPinError) -> Exchange<SecretOffer> {
        throw absent("the first share of a registration")
    }

    private func offer(_ object: JSONObject) throws(JSONError) -> SecretOffer {
        try object.requireCurve()
        var urls: [WebAddress] = []
        for text in try object.strings("secretUrls", counts: 2...2) {
            do throws(WebAddressError) { urls.append(try WebAddress(text)) } catch {
                throw JSONError("`secretUrls` has an element that is not a web address: \(error.rawValue)")
            }
        }
        return SecretOffer(
            mpinID: try object.mpinID("mpinId"), share: nil, urls: urls, dtas: try object.issuers("dtas"))
    }
}
