// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// MIRACL's platform from 2016 to 2018: the classic requests for many companies, each named by its id, and without time
/// permits (docs/protocol/miracl.md, sections 1, 8.1 and 9).
struct MFAv1Dialect: ClassicDialect {
    static let name = DialectName.mfaV1
    static let sendsClientID = false
    static let verdictsTellTheStatus = true

    let settings: ClientSettings
    let configuration: MPin.Configuration

    /// The platform finds the company's customer by the browser session, and may call the device.
    func ownMembers(of request: RegistrationRequest) -> [JSONBody.Member] {
        var members: [JSONBody.Member] = []
        if let accessCode = request.accessCode { members.append(("wid", .accessCode(accessCode))) }
        if let identifier = request.pushIdentifier, !identifier.isEmpty {
            members.append(("pushToken", .text(identifier)))
        }
        return members
    }

    /// Passes on the one-time token and nothing else of the reply to pass 2.
    func verdictRequest(for ticket: LoginTicket, target: AuthenticationTarget) -> JSONBody {
        var wantsCode = false
        if case .authorizationCode = target { wantsCode = true }
        return JSONBody([
            "mpinResponse": .json(JSONBody(["authOTT": .secretText(ticket.authOTT)]).encoded()),
            "authzRequest": .boolean(wantsCode),
        ])
    }
}
