// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension Dialect {
    func logout(_ ticket: LogoutTicket) -> Exchange<Void> {
        // Whatever page comes with the success: the session is over.
        Exchange(
            call: Call(kind: .logout, request: send(.post, ticket.data, to: ticket.url)), success: Self.success
        ) { _ throws(JSONError) in }
    }
}
