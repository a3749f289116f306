// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinCrypto

// docs/protocol/milagro.md, section 7.1.
extension ClassicDialect {
    func allows(_ target: AuthenticationTarget) -> Bool {
        switch target {
        case .relyingParty, .browserSession, .oneTimePassword, .authorizationCode: true
        case .registrationCode, .jwt, .dvsRegistration, .signing: false
        }
    }

    func pass1(
        _ prover: Prover, _ commitment: Pass1Commitment, target _: AuthenticationTarget
    ) throws(MPinError) -> Exchange<Challenge> {
        let url = try MPinError.address(settings.mpinAuthServerURL, "/pass1", for: .pass1)
        let body = JSONBody([
            "pass": .number(1), "mpin_id": .hex(prover.identity.mpinID.bytes),
            // Empty without permits, but present: the server refuses a request without the key.
            "UT": .hex(commitment.ut ?? []), "U": .hex(commitment.u),
        ])
        // A second pass 1 only replaces the challenge of the first.
        let request = send(.post, body, to: url, isRepeatable: true)
        return Exchange(.pass1, request, success: Self.success) { object throws(JSONError) in
            try object.challenge("y")
        }
    }

    func pass2(
        _ mpinID: MPinID, response: SecretBytes, target: AuthenticationTarget
    ) throws(MPinError) -> Exchange<LoginTicket> {
        let url = try MPinError.address(settings.mpinAuthServerURL, "/pass2", for: .pass2)
        let body = JSONBody([
            "pass": .number(2), "mpin_id": .hex(mpinID.bytes), "V": .secretHex(response), "WID": target.wid,
            "OTP": .boolean(target.wantsOneTimePassword),
        ])
        return Exchange(.pass2, send(.post, body, to: url), success: Self.success) { object throws(JSONError) in
            LoginTicket(object, authOTT: try object.token("authOTT", digits: Self.tokenDigits))
        }
    }

    func authenticate(_ ticket: LoginTicket, target: AuthenticationTarget) -> Exchange<LoginReply> {
        let url = target.accessCode == nil ? settings.authenticateURL : settings.mobileAuthenticateURL
        var body = verdictRequest(for: ticket, target: target)
        // Without a browser's session this request goes to the relying party, which may be somebody else's.
        if target.accessCode != nil { body.add(ticket.card) }
        let backend = settings.backend
        return Exchange(
            .authenticate, send(.post, body, to: url, deadline: Self.finalDeadline), success: Self.success
        ) { object throws(JSONError) in
            if Self.verdictsTellTheStatus { try object.requireStatus(Self.success) }
            var reply = LoginReply(object)
            switch target {
            case .browserSession: reply.logout = try LogoutTicket(object, backend: backend)
            case .oneTimePassword: reply.oneTimePassword = OneTimePassword(ticket, object)
            case .authorizationCode: reply.authorizationCode = try object.authorizationCode()
            // A relying party's reply may be anything; the other targets do not occur in this dialect.
            case .relyingParty, .registrationCode, .jwt, .dvsRegistration, .signing: break
            }
            return reply
        }
    }
}

extension AuthenticationTarget {
    /// The text `0` stands for no session.
    fileprivate var wid: JSONBody.Value {
        accessCode.map { .accessCode($0) } ?? .text("0")
    }

    fileprivate var wantsOneTimePassword: Bool {
        if case .oneTimePassword = self { true } else { false }
    }
}

extension LogoutTicket {
    /// - Returns: nil when the reply does not say how to log out, or has an invalid address.
    fileprivate init?(_ object: JSONObject, backend: WebAddress) throws(JSONError) {
        guard let address = try object.optionalString("logoutURL"), !address.isEmpty,
            let data = object.json("logoutData")
        else { return nil }
        let text = address.hasPrefix("/") ? backend.base.absoluteText + address : address
        guard let url = try? WebAddress(text) else { return nil }
        self.init(url: url, data: data)
    }
}
