// SPDX-License-Identifier: Apache-2.0

/// The operator's pages. They need no script.
struct OperatorPages: Sendable {
    static let path = "/operator"

    private let pages = Pages(root: "/")

    /// - Parameter problem: why the last try failed; a sentence of this program's own.
    func login(_ problem: String? = nil) -> String {
        pages.page(
            "Operator",
            """
            \(problem.map { "<p role=\"alert\">\(HTMLText.escaped($0))</p>" } ?? "")
            <form method="post" action="\(Self.path)/login">
            <p><label for="password">Password</label>
            <input id="password" name="password" type="password" autocomplete="current-password" required></p>
            <p><button type="submit">Log in</button></p>
            </form>
            <p>On the machine of the backend <code>login-kiosk-backend operator-password</code> shows it.</p>
            """)
    }

    /// - Parameters:
    ///   - list: one page of the identities, and of the open registrations.
    ///   - report: what was just done.
    func list(_ list: BackendUserList, formToken: OneTimeToken, report: OperatorAction?) -> String {
        let identities = list.identities.users.map { row($0, formToken, list.page) }
        let registrations = list.registrations.users.map { row($0, formToken, list.page) }
        return pages.page(
            "Identities",
            """
            \(report.map { "<p role=\"status\">\(HTMLText.escaped($0.report))</p>" } ?? "")
            \(table(identities, head: ["User", "Identity", "Status", "Wrong PINs", "Registered", ""]))
            <h2>Open registrations</h2>
            \(table(registrations, head: ["User", "Identity", "Status", "", "Ends", ""]))
            \(navigation(list))
            <form method="post" action="\(Self.path)/logout">\(hidden("token", formToken.hex))
            <button type="submit">Log out</button></form>
            """)
    }

    private func table(_ rows: [String], head: [String]) -> String {
        guard !rows.isEmpty else { return "<p>None.</p>" }
        return """
            <table>
            <thead><tr>\(head.map { "<th scope=\"col\">\($0)</th>" }.joined())</tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
            """
    }

    private func row(_ user: BackendUser, _ formToken: OneTimeToken, _ page: Int) -> String {
        let buttons = OperatorAction.allCases.filter { $0.isFor(user) }.map {
            #"<button type="submit" name="action" value="\#($0.rawValue)">\#($0.label)</button>"#
        }
        let isRenewing = user.needsRenewal && user.status == .registered
        let status = user.status.rawValue + (isRenewing ? ", to be renewed" : "")
        let cells = [
            HTMLText.escaped(user.userID), "<code>\(user.fingerprint)</code>", status,
            user.failures > 0 ? String(user.failures) : "", user.since,
            """
            <form method="post" action="\(Self.path)/identities">\(hidden("token", formToken.hex))\
            \(hidden("user", user.userID))\(hidden("identity", user.fingerprint))\(hidden("page", String(page)))\
            \(buttons.joined(separator: " "))</form>
            """,
        ]
        return "<tr>" + cells.map { "<td>\($0)</td>" }.joined() + "</tr>"
    }

    private func navigation(_ list: BackendUserList) -> String {
        guard list.pages > 1 else { return "" }
        var parts = ["Page \(list.page) of \(list.pages)"]
        if list.page > 1 { parts.append(#"<a href="\#(Self.path)?page=\#(list.page - 1)">Previous</a>"#) }
        if list.page < list.pages { parts.append(#"<a href="\#(Self.path)?page=\#(list.page + 1)">Next</a>"#) }
        return "<p>" + parts.joined(separator: " &middot; ") + "</p>"
    }

    private func hidden(_ name: String, _ value: String) -> String {
        #"<input type="hidden" name="\#(name)" value="\#(HTMLText.escaped(value))">"#
    }
}
