// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

// Milagro protocol, section 7.1.
extension MilagroDialect {
    func pass1(_ mpinID: MPinID, _ commitment: Pass1Commitment) throws(MPinError) -> Exchange<Challenge> {
        let url = try MPinError.address(settings.mpinAuthServerURL, "/pass1", for: .pass1)
        let body = JSONBody([
            "pass": .number(1), "mpin_id": .hex(mpinID.bytes),
            // Empty without permits, but there: the server refuses a request without the key.
            "UT": .hex(commitment.ut ?? []), "U": .hex(commitment.u),
        ])
        // A second pass 1 only replaces the challenge of the first.
        let request = send(.post, body, to: url, isRepeatable: true)
        return Exchange(.pass1, request, success: MilagroDialect.success) { object throws(JSONError) in
            try object.challenge("y")
        }
    }

    func pass2(
        _ mpinID: MPinID, response: SecretBytes, target: AuthenticationTarget
    ) throws(MPinError) -> Exchange<LoginTicket> {
        let url = try MPinError.address(settings.mpinAuthServerURL, "/pass2", for: .pass2)
        let body = JSONBody([
            "pass": .number(2), "mpin_id": .hex(mpinID.bytes), "V": .secretHex(response), "WID": target.wid,
            "OTP": .boolean(false),
        ])
        return Exchange(.pass2, send(.post, body, to: url), success: MilagroDialect.success) {
            object throws(JSONError) in
            _ = try object.token("authOTT", digits: MilagroDialect.tokenDigits)
            return LoginTicket(content: object.text)
        }
    }

    /// Passes the reply to pass 2 on as a whole, as every classic client does.
    func authenticate(_ ticket: LoginTicket, target: AuthenticationTarget) -> Exchange<AuthenticationResult> {
        let url: WebAddress
        switch target {
        case .relyingParty: url = settings.authenticateURL
        case .browserSession: url = settings.mobileAuthenticateURL
        }
        let body = JSONBody(["mpinResponse": .json(ticket.content)])
        return Exchange(
            .authenticate, send(.post, body, to: url, deadline: MilagroDialect.finalDeadline),
            success: MilagroDialect.success
        ) { object throws(JSONError) in
            var canLogout = false
            // A relying party's own reply is free; only a browser session's has these keys.
            if case .browserSession = target { canLogout = try object.optionalString("logoutURL")?.isEmpty == false }
            return AuthenticationResult(resultData: object.text, canLogout: canLogout)
        }
    }
}

extension AuthenticationTarget {
    /// The text `0` stands for no session.
    fileprivate var wid: JSONBody.Value {
        switch self {
        case .relyingParty: .text("0")
        case .browserSession(let code): .accessCode(code)
        }
    }
}
