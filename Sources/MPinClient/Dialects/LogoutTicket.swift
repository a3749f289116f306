// SPDX-License-Identifier: Apache-2.0

import LoginValues

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
