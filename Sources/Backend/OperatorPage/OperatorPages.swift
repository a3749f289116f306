// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinServer

/// The operator's pages in one language. They need no script. All text from outside is escaped here and in the pages'
/// parts.
struct OperatorPages: Sendable {
    static let path = "/operator"
    static let styleSheet = "operator.css"

    /// The page reveals no directory of the server to strangers. The backend prints the whole command at its start.
    private static let passwordCommand = "<code>login-kiosk-backend operator-password --state DIR</code>"

    let words: PageWords

    // MARK: The password

    /// - Parameter problem: the reason why the last attempt failed.
    func login(_ problem: PageWord? = nil) -> String {
        page(
            words(.operatorTitle),
            """
            <main class="narrow">
            <h1>\(words(.operatorTitle))</h1>
            \(problem.map { "<p class=\"problem\" role=\"alert\">\(words($0))</p>" } ?? "")
            <form method="post" action="\(Self.path)/login">
            <p><label for="password">\(words(.password))</label>
            <input id="password" name="password" type="password" autocomplete="current-password" required></p>
            <p><button type="submit" class="main">\(words(.operatorLogIn))</button></p>
            </form>
            <p class="note">\(words(.passwordHelp, ["command": Self.passwordCommand]))</p>
            </main>
            """)
    }

    /// Returns an error page with a link back.
    func problem(_ word: PageWord) -> String {
        page(
            words(.operatorTitle),
            """
            <main class="narrow">
            <h1>\(words(.operatorTitle))</h1>
            <p class="problem" role="alert">\(words(word))</p>
            <p><a href="\(Self.path)">\(words(.back))</a></p>
            </main>
            """)
    }

    // MARK: The list

    /// The content of the list.
    struct Content: Sendable {
        var view: OperatorView
        var list: BackendUserList
        var counts: UserCounts
        /// Nil when it is left out: in a search, and after the first page.
        var activity: LoginActivity?
        /// The last action.
        var report: OperatorReport?
        /// Whether nobody may register.
        var admitsNobody = false
    }

    func list(_ content: Content, for session: OperatorSession, links: OperatorLinks) -> String {
        let (view, list) = (content.view, content.list)
        let report = content.report.map { done in
            let user = HTMLText.isolated(done.userID)
            return "<p class=\"report\" role=\"status\">\(words(done.action.report, ["user": user]))</p>"
        }
        return page(
            words(.identities),
            """
            <header>
            <h1>\(words(.identities))</h1>
            <form method="post" action="\(Self.path)/logout">\(HTMLText.hidden([("token", session.token())]))\
            <button type="submit">\(words(.operatorLogOut))</button></form>
            </header>
            <main>
            \(report ?? "")
            \(content.admitsNobody ? nobodyRegisters : "")
            \(content.activity.map { ActivityPlot($0, words).section } ?? "")
            \(states(view, content.counts))
            \(searchForm(view))
            \(list.users.isEmpty ? nothing(view) : table(list.users, in: view, of: session))
            \(pageLinks(view, list, links))
            <p class="note">\(words(.utc))</p>
            </main>
            """)
    }

    private var nobodyRegisters: String {
        "<p class=\"problem\">\(words(.nobodyRegisters, ["option": "<code>--admit</code>"]))</p>"
    }

    private func states(_ view: OperatorView, _ counts: UserCounts) -> String {
        let choices: [(status: BackendUser.Status?, label: String, count: Int)] =
            [(nil, words(.everyState), counts.total)]
            + BackendUser.Status.inOrder.map { ($0, words($0.word), counts[$0]) }
        let links = choices.map { status, label, count in
            let search = UserSearch(view.search.typed, match: view.search.match, status: status)
            let current = view.search.status == status ? " aria-current=\"page\"" : ""
            return """
                <li><a href="\(OperatorView(search: search).address)"\(current)>\(label) \
                <span class="count">\(words.number(count))</span></a></li>
                """
        }
        return """
            <nav class="states" aria-label="\(words(.states))"><ul>
            \(links.joined(separator: "\n"))
            </ul></nav>
            """
    }

    private func searchForm(_ view: OperatorView) -> String {
        let search = view.search
        let options = UserQuery.Match.allCases.map { match in
            let word = match == .beginning ? PageWord.beginning : .containing
            return """
                <option value="\(match.rawValue)"\(match == search.match ? " selected" : "")>\(words(word))</option>
                """
        }
        let all = search == UserSearch() ? "" : "<a href=\"\(Self.path)\">\(words(.showAll))</a>"
        return """
            <form class="search" method="get" action="\(Self.path)" role="search">
            <label for="q">\(words(.search))</label>
            <select name="match" aria-label="\(words(.match))">\(options.joined())</select>
            <input id="q" name="q" type="search" maxlength="\(UserSearch.longest)" \
            value="\(HTMLText.escaped(search.typed))" autocapitalize="none" autocomplete="off" spellcheck="false">
            \(search.status.map { HTMLText.hidden([("state", $0.rawValue)]) } ?? "")\
            <button type="submit">\(words(.find))</button> \(all)
            </form>
            """
    }

    private func nothing(_ view: OperatorView) -> String {
        let isSearch = view.search != UserSearch() || view.edge != nil
        return """
            <div class="nothing"><p><strong>\(words(isSearch ? .noMatch : .noIdentities))</strong></p>
            <p>\(words(isSearch ? .noMatchHelp : .noIdentitiesHelp))</p></div>
            """
    }

    private func table(_ users: [BackendUser], in view: OperatorView, of session: OperatorSession) -> String {
        let head = [PageWord.user, .state, .wrongPINs, .lastLogin, .since, .actions].map { word in
            let name = word == .wrongPINs ? " class=\"number\"" : ""
            return "<th role=\"columnheader\" scope=\"col\"\(name)>\(words(word))</th>"
        }
        return """
            <table class="users" role="table">
            <thead role="rowgroup"><tr role="row">\(head.joined())</tr></thead>
            <tbody role="rowgroup">
            \(users.map { UserRow($0, words, in: view, of: session).row }.joined(separator: "\n"))
            </tbody>
            </table>
            """
    }

    private func pageLinks(_ view: OperatorView, _ list: BackendUserList, _ links: OperatorLinks) -> String {
        func link(_ edge: OperatorView.Edge?, _ word: PageWord, _ relation: String) -> String {
            let address = OperatorView(search: view.search, edge: edge).address
            return "<a rel=\"\(relation)\" href=\"\(address)\">\(words(word))</a>"
        }
        var parts: [String] = []
        if let before = list.before.flatMap({ links.text(of: $0) }) {
            parts += [link(nil, .first, "first"), link(.before(before), .previous, "prev")]
        }
        if let after = list.after.flatMap({ links.text(of: $0) }) { parts.append(link(.after(after), .next, "next")) }
        guard !parts.isEmpty else { return "" }
        return "<nav class=\"pages\" aria-label=\"\(words(.pages))\">\(parts.joined(separator: "\n"))</nav>"
    }

    // MARK: The question

    /// The page that asks whether to revoke an identity, and explains what that means.
    func question(about user: BackendUser, _ view: OperatorView, for session: OperatorSession) -> String {
        let row = UserRow(user, words, in: view, of: session)
        let isFor = OperatorAction.revoke.isFor(user)
        let meaning = [PageWord.revokeDevice, .revokeOthers, .revokeAgain].map { "<li>\(words($0))</li>" }
        let consequence =
            isFor
            ? "<ul>\(meaning.joined(separator: "\n"))</ul>\n<p><strong>\(words(.revokeFinal))</strong></p>"
            : "<p class=\"problem\" role=\"alert\">\(words(.isRevoked))</p>"
        let lastLogin = user.lastLogin.map { words.timeElement($0) + " UTC" } ?? words(.never)
        let back = "<a class=\"button\" href=\"\(view.address)\">\(words(isFor ? .cancel : .back))</a>"
        return page(
            words(.revoke),
            """
            <main class="narrow">
            <h1>\(words(.revokeTitle, ["user": HTMLText.isolated(user.userID)]))</h1>
            \(row.mixedScripts)
            <dl>
            <dt>\(words(.identity))</dt><dd><code>\(user.fingerprint)</code></dd>
            <dt>\(words(.state))</dt>
            <dd>\(row.status)</dd>
            <dt>\(words(.lastLogin))</dt><dd>\(lastLogin)</dd>
            </dl>
            \(consequence)
            <div class="buttons">\(isFor ? row.form(for: [.revoke]) : "")\(back)</div>
            </main>
            """)
    }

    private func page(_ title: String, _ body: String) -> String {
        words.page(
            title, style: "\(Self.path)/\(Self.styleSheet)", icon: "/logo.svg",
            head: #"<meta name="color-scheme" content="light dark">"#, body: body)
    }
}
