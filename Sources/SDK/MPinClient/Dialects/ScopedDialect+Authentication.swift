// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinCrypto

// docs/protocol/miracl.md, section 9.
extension ScopedDialect {
    func pass1(
        _ prover: Prover, _ commitment: Pass1Commitment, target: AuthenticationTarget
    ) throws(MPinError) -> Exchange<Challenge> {
        var body = JSONBody([
            ("scope", .texts([target.scope])), ("mpin_id", .hex(prover.identity.mpinID.bytes)),
            ("dtas", .text(prover.dtas ?? "")), ("U", .hex(commitment.u)),
        ])
        for (key, value) in ownMembersOfPass1 { body.add(key, value) }
        if let publicKey = prover.identity.publicKey { body.add("publicKey", .hex(publicKey.bytes)) }
        // A second pass 1 only replaces the challenge of the first.
        let request = send(.post, body, to: pass1URL, isRepeatable: true)
        return Exchange(.pass1, request, success: Self.success) { object throws(JSONError) in
            try object.challenge("y")
        }
    }

    func pass2(
        _ mpinID: MPinID, response: SecretBytes, target: AuthenticationTarget
    ) throws(MPinError) -> Exchange<LoginTicket> {
        var body = JSONBody([("mpin_id", .hex(mpinID.bytes)), ("V", .secretHex(response))])
        if let session = sessionMember(for: target) { body.add("WID", session) }
        return Exchange(.pass2, send(.post, body, to: pass2URL), success: Self.success) { object throws(JSONError) in
            LoginTicket(object, authOTT: try object.opaqueToken("authOTT"))
        }
    }

    func authenticate(_ ticket: LoginTicket, target: AuthenticationTarget) -> Exchange<LoginReply> {
        var body = JSONBody([("authOTT", .secretText(ticket.authOTT))])
        for (key, value) in ownMembersOfFinalCall(for: target) { body.add(key, value) }
        body.add(ticket.card)
        // The server may wait for the browser, as older platforms do.
        let request = send(.post, body, to: authenticateURL, deadline: .seconds(30))
        return Exchange(target.finalCall, request, success: Self.success) { object throws(JSONError) in
            try object.requireStatus(Self.success)
            var reply = LoginReply(object)
            switch target {
            case .oneTimePassword: reply.oneTimePassword = OneTimePassword(platform: object)
            case .registrationCode:
                reply.oneTimePassword = OneTimePassword(platform: object)
                reply.jwt = try object.jwt()
            case .jwt: reply.jwt = try object.jwt()
            case .authorizationCode: reply.authorizationCode = try object.authorizationCode()
            case .dvsRegistration: reply.dvsToken = try object.keyToken()
            case .relyingParty, .browserSession, .signing: break
            }
            reply.renewal = renewal(object, target)
            return reply
        }
    }

    /// Reads the offer of a new secret. An unreadable one must not spoil a successful login.
    private func renewal(_ object: JSONObject, _ target: AuthenticationTarget) -> SecretRenewal? {
        do throws(JSONError) {
            switch renewal(by: target) {
            case .key: return try object.keyToken().map { .key(token: $0) }
            case .secret:
                guard let secret = try object.optionalObject("renewSecret") else { return nil }
                try secret.requireCurve()
                return .secret(
                    SecretOffer(
                        mpinID: try secret.mpinID("mpin_id"), share: try secret.clientSecretShare("clientSecretShare"),
                        urls: [try secret.address("cs2url")], dtas: try secret.issuers("dtas")))
            }
        } catch {
            return .unreadable(error)
        }
    }
}

extension JSONObject {
    /// A statement signed by the platform, three parts in base 64 separated by dots; nil when there is none.
    fileprivate func jwt() throws(JSONError) -> SecretBytes? {
        isPresent("jwt") ? try secretText("jwt", counts: 1...16384) : nil
    }

    /// `dvsRegister`: the token for registering a key.
    fileprivate func keyToken() throws(JSONError) -> SecretBytes? {
        guard let register = try optionalObject("dvsRegister") else { return nil }
        try register.requireCurve()
        return try register.opaqueToken("token")
    }
}

extension AuthenticationTarget {
    /// docs/protocol/miracl.md, section 9.3.
    fileprivate var scope: String {
        switch self {
        case .relyingParty, .browserSession, .authorizationCode: "oidc"
        case .oneTimePassword: "otp"
        case .registrationCode: "reg-code"
        case .jwt: "jwt"
        case .dvsRegistration: "dvs-reg"
        case .signing: "dvs-auth"
        }
    }
}
