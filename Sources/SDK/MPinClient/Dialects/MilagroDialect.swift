// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// The classic Milagro protocol, with time permits or without.
struct MilagroDialect: ClassicDialect {
    static let name = DialectName.milagro
    static let sendsClientID = true
    static let verdictsTellTheStatus = false

    let settings: ClientSettings
    let configuration: MPin.Configuration

    /// The access code stays here: this server knows no registration on behalf of a browser session.
    func ownMembers(of request: RegistrationRequest) -> [JSONBody.Member] { [] }

    /// Passes the reply to pass 2 on as a whole, as every classic client does.
    func verdictRequest(for ticket: LoginTicket, target: AuthenticationTarget) -> JSONBody {
        var body = JSONBody(["mpinResponse": .json(ticket.reply)])
        // Servers without authorization codes ignore it.
        if case .authorizationCode = target { body.add("authzRequest", .boolean(true)) }
        return body
    }
}
