// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues

/// The reply to the `authenticate` request of an accepted login.
struct LoginReply {
    /// The reply as received, a JSON object or empty.
    let content: SecretBytes
    /// The data for ending the browser session; nil when the reply has none, and for every other target.
    var logout: LogoutTicket?
    /// A one-time password or a registration code; nil when the server issued none, and for every other target.
    var oneTimePassword: OneTimePassword?
    /// Nil when the server gave none, and for every other target.
    var authorizationCode: SecretBytes?
    /// Nil when the server gave none.
    var jwt: SecretBytes?
    /// The token for registering a key for signing; nil for every other target.
    var dvsToken: SecretBytes?
    /// Nil when the identity's secret stays good.
    var renewal: SecretRenewal?
    /// Nil when there were none since the previous login, or the server does not say.
    var wrongPINs: WrongPINs?

    init(_ object: JSONObject) {
        content = object.text
        wrongPINs = WrongPINs(object)
    }
}

/// Values from pass 2 for the `authenticate` request.
struct LoginTicket {
    /// The whole reply as received, without a byte order mark: it becomes a value within a request.
    let reply: SecretBytes
    /// One-time token of the login, as the text that the server compares.
    let authOTT: SecretBytes
    /// Whether the backend keeps the times of cards. Only this project's own does.
    let asksForCard: Bool
    /// The person's card, if the backend asks for it.
    var card: CardTimes?

    init(_ object: JSONObject, authOTT: SecretBytes) {
        (reply, self.authOTT) = (object.text.trimmed, authOTT)
        asksForCard = (try? object.optionalBoolean("cardTimes")) == true
    }
}

extension JSONBody {
    /// Adds the person's card.
    mutating func add(_ card: CardTimes?) {
        guard let card else { return }
        add("card", .json(JSONBody(["issued": .number(Int(card.issued)), "ends": .number(Int(card.ends))]).encoded()))
    }
}

/// The data for ending a browser session from here (docs/protocol/milagro.md, section 7.4).
struct LogoutTicket: Sendable {
    let url: WebAddress
    /// The relying party's JSON, sent back as received; it holds the session's token.
    let data: SecretBytes
}

extension Dialect {
    func logout(_ ticket: LogoutTicket) -> Exchange<Void> {
        // The session is over; the body of the success is ignored.
        Exchange(
            call: Call(kind: .logout, request: send(.post, ticket.data, to: ticket.url)), success: Self.success
        ) { _ throws(JSONError) in }
    }
}
