// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// The classic Milagro protocol, with time permits or without.
struct MilagroDialect: ClassicDialect {
    static let name = DialectName.milagro
    static let sendsClientID = true
    static let verdictsTellTheStatus = false

    let settings: ClientSettings
    let configuration: MPin.Configuration

    /// Leaves the access code out: this server has no registration on behalf of a browser session.
    func ownMembers(of request: RegistrationRequest) -> [JSONBody.Member] { [] }

    /// Passes on the whole reply to pass 2, as every classic client does.
    func verdictRequest(for ticket: LoginTicket, target: AuthenticationTarget) -> JSONBody {
        var body = JSONBody(["mpinResponse": .json(ticket.reply)])
        // Servers without authorization codes ignore it.
        if case .authorizationCode = target { body.add("authzRequest", .boolean(true)) }
        return body
    }
}
