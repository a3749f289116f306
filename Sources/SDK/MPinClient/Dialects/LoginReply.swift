// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Reply to the final call when the server accepted the login.
struct LoginReply {
    /// The reply as received, a JSON object or empty.
    let content: SecretBytes
    /// How to end the browser session again; nil when the reply did not say, and for every other target.
    var logout: LogoutTicket?
    /// A one-time password or a registration code; nil when the server issued none, and for every other target.
    var oneTimePassword: OneTimePassword?
    /// Nil when the server gave none, and for every other target.
    var authorizationCode: SecretBytes?
    /// Nil when the server gave none.
    var jwt: SecretBytes?
    /// Lets a key for signing be registered; nil for every other target.
    var dvsToken: SecretBytes?
    /// Nil when the identity's secret is good.
    var renewal: SecretRenewal?
    /// Nil when there were none since the login before, and where the server does not say.
    var wrongPINs: WrongPINs?

    init(_ object: JSONObject) {
        content = object.text
        wrongPINs = WrongPINs(object)
    }
}

/// Values that pass 2 gives for the final call.
struct LoginTicket {
    /// The whole reply as received.
    let reply: SecretBytes
    /// One-time token of the login, as the text that the server compares.
    let authOTT: SecretBytes
    /// Whether the backend keeps the times of cards: this project's own does.
    let asksForCard: Bool
    /// The card that the person came with, where the backend asks for it.
    var card: CardTimes?

    init(_ object: JSONObject, authOTT: SecretBytes) {
        (reply, self.authOTT) = (object.text, authOTT)
        asksForCard = (try? object.optionalBoolean("cardTimes")) == true
    }
}

extension JSONBody {
    /// Says with which card the person came.
    mutating func add(_ card: CardTimes?) {
        guard let card else { return }
        add("card", .json(JSONBody(["issued": .number(Int(card.issued)), "ends": .number(Int(card.ends))]).encoded()))
    }
}

/// How a browser session can be ended from here (milagro protocol, section 7.4).
struct LogoutTicket: Sendable {
    let url: WebAddress
    /// The relying party's JSON, sent back as it came; it holds the session's token.
    let data: SecretBytes
}

extension Dialect {
    func logout(_ ticket: LogoutTicket) -> Exchange<Void> {
        // Whatever page comes with the success: the session is over.
        Exchange(
            call: Call(kind: .logout, request: send(.post, ticket.data, to: ticket.url)), success: Self.success
        ) { _ throws(JSONError) in }
    }
}
