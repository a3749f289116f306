// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension MPin {
    /// Whether the relying party told how to end the browser session that this identity logged in last with an access
    /// code.
    public func canLogout(_ user: User) -> Bool { work[user.key].logoutTicket != nil }

    /// Ends the browser session that this identity logged in last with an access code.
    ///
    /// - Throws: ``MPinError/Kind/misuse`` when there is none to end, and whatever the relying party answers: the
    ///   session may be ended later then.
    public func logout(_ user: User) async throws(MPinError) {
        let (dialect, key) = try begin(.logout, of: user)
        defer { end(key) }
        guard let ticket = work[key].logoutTicket else {
            throw MPinError(
                .misuse, detail: "logout: no browser session is known that could be ended from here")
        }
        try await run(dialect.logout(ticket), namedBy: dialect.backend.origin)
        work[key].logoutTicket = nil
    }
}
