// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
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
            "<p class=\"report\" role=\"status\">\(words(done.action.report, ["user": bdi(done.userID)]))</p>"
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
            \(list.users.isEmpty ? nothing(view) : table(list.users, view, session))
            \(pageLinks(view, list, links))
            <p class="note">\(words(.utc))</p>
            </main>
            """)
    }

    private var nobodyRegisters: String {
        "<p class=\"problem\">\(words(.nobodyRegisters, ["option": "<code>--admit</code>"]))</p>"
    }

    private func states(_ view: OperatorView, _ counts: UserCounts) -> String {
        let choices: [(BackendUser.Status?, String, Int)] =
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

    private func table(_ users: [BackendUser], _ view: OperatorView, _ session: OperatorSession) -> String {
        let head = [PageWord.user, .state, .wrongPINs, .lastLogin, .since, .actions].map { word in
            let name = word == .wrongPINs ? " class=\"number\"" : ""
            return "<th role=\"columnheader\" scope=\"col\"\(name)>\(words(word))</th>"
        }
        return """
            <table class="users" role="table">
            <thead role="rowgroup"><tr role="row">\(head.joined())</tr></thead>
            <tbody role="rowgroup">
            \(users.map { row($0, view, session) }.joined(separator: "\n"))
            </tbody>
            </table>
            """
    }

    /// A row, with the values for programs in its attributes.
    private func row(_ user: BackendUser, _ view: OperatorView, _ session: OperatorSession) -> String {
        let isOpen = user.status == .unconfirmed || user.status == .confirmed
        let renewing = user.needsRenewal && user.status == .registered
        let state = """
            <span class="state \(user.status.rawValue)">\(words(user.status.word))</span>\
            \(renewing ? " <span class=\"renewing\">\(words(.renewing))</span>" : "")\
            \(user.isByCode ? " <span class=\"by-code\">\(words(.byCode))</span>" : "")\
            \(user.card.map(card) ?? "")
            """
        let lastLogin = user.lastLogin.map(time) ?? (isOpen ? "" : "<span class=\"none\">\(words(.never))</span>")
        let cells: [(PageWord, String, String)] = [
            (
                .user, "user",
                "\(bdi(user.userID))\(mixedScripts(user)) <code title=\"\(words(.identity))\">\(user.fingerprint)</code>"
            ),
            (.state, "", state), (.wrongPINs, "number", isOpen ? "" : words.number(user.failures)),
            (.lastLogin, "", lastLogin),
            (
                isOpen ? .until : .since, "",
                (isOpen ? "<span class=\"wide\">\(words(.until))</span> " : "") + time(user.since)
            ),
            (.actions, "actions", actions(for: user, view, session)),
        ]
        return """
            <tr role="row" data-identity="\(user.fingerprint)" data-state="\(user.status.rawValue)" \
            data-failures="\(user.failures)">\(cells.map(cell).joined())</tr>
            """
    }

    private func card(_ card: BackendUser.Card) -> String {
        let times = ["issued": time(card.issued), "ends": time(card.ends)]
        return " <span class=\"card\">\(words(card.isTemporary ? .temporaryCard : .personalCard, times))</span>"
    }

    /// A cell. It contains its column's label, because narrow pages have no table head.
    private func cell(_ label: PageWord, _ name: String, _ content: String) -> String {
        """
        <td role="cell" class="\(name)\(content.isEmpty ? " empty" : "")" data-label="\(words(label))">\
        <div>\(content)</div></td>
        """
    }

    private func actions(for user: BackendUser, _ view: OperatorView, _ session: OperatorSession) -> String {
        let fitting = OperatorAction.allCases.filter { $0.isFor(user) }
        guard !fitting.isEmpty else { return "" }
        let asked = fitting.filter(\.isAsked).map { action in
            "<a class=\"button danger\" href=\"\(view.question(about: user))\">\(words(action.label))</a>"
        }
        let done = fitting.filter { !$0.isAsked }.map(button)
        let form = done.isEmpty ? "" : self.form(about: user, view, session, done.joined())
        return form + asked.joined()
    }

    private func button(_ action: OperatorAction) -> String {
        let name = action.isAsked ? "danger main" : ""
        return """
            <button type="submit" class="\(name)" name="action" value="\(action.rawValue)">\
            \(words(action.label))</button>
            """
    }

    private func form(
        about user: BackendUser, _ view: OperatorView, _ session: OperatorSession, _ content: String
    ) -> String {
        let fields: [(name: String, value: String)] = [
            ("token", session.token(forUser: user.userID, fingerprint: user.fingerprint)), ("user", user.userID),
            ("identity", user.fingerprint), ("view", view.query),
        ]
        return #"<form method="post" action="\#(Self.path)/identities">\#(HTMLText.hidden(fields))\#(content)</form>"#
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
        let isFor = OperatorAction.revoke.isFor(user)
        let meaning = [PageWord.revokeDevice, .revokeOthers, .revokeAgain].map { "<li>\(words($0))</li>" }
        let consequence =
            isFor
            ? "<ul>\(meaning.joined(separator: "\n"))</ul>\n<p><strong>\(words(.revokeFinal))</strong></p>"
            : "<p class=\"problem\" role=\"alert\">\(words(.isRevoked))</p>"
        let buttons =
            isFor
            ? form(about: user, view, session, button(.revoke))
                + "<a class=\"button\" href=\"\(view.address)\">\(words(.cancel))</a>"
            : "<a class=\"button\" href=\"\(view.address)\">\(words(.back))</a>"
        return page(
            words(.revoke),
            """
            <main class="narrow">
            <h1>\(words(.revokeTitle, ["user": bdi(user.userID)]))</h1>
            \(mixedScripts(user))
            <dl>
            <dt>\(words(.identity))</dt><dd><code>\(user.fingerprint)</code></dd>
            <dt>\(words(.state))</dt>
            <dd><span class="state \(user.status.rawValue)">\(words(user.status.word))</span></dd>
            <dt>\(words(.lastLogin))</dt><dd>\(user.lastLogin.map { time($0) + " UTC" } ?? words(.never))</dd>
            </dl>
            \(consequence)
            <div class="buttons">\(buttons)</div>
            </main>
            """)
    }

    // MARK: Parts

    private func time(_ zoned: String) -> String { "<time datetime=\"\(zoned)\">\(words.time(zoned))</time>" }

    /// Isolates text, so that its direction does not affect its surroundings.
    private func bdi(_ text: String) -> String { "<bdi>\(HTMLText.escaped(text))</bdi>" }

    /// A warning beside a user id that may look like another.
    private func mixedScripts(_ user: BackendUser) -> String {
        MixedScripts.areIn(user.userID) ? " <strong class=\"mixed\">\(words(.mixedScripts))</strong>" : ""
    }

    private func page(_ title: String, _ body: String) -> String {
        words.page(
            title, style: "\(Self.path)/\(Self.styleSheet)", icon: "/logo.svg",
            head: #"<meta name="color-scheme" content="light dark">"#, body: body)
    }
}

/// The part of the list that a page shows, as its address describes it.
struct OperatorView: Sendable, Equatable {
    /// An edge with its sealed position.
    enum Edge: Sendable, Equatable {
        case after(String)
        case before(String)
    }

    var search = UserSearch()
    /// Nil for the first page.
    var edge: Edge?

    init(search: UserSearch = UserSearch(), edge: Edge? = nil) { (self.search, self.edge) = (search, edge) }

    /// Reads an address and ignores invalid parts.
    init(_ fields: FormFields) {
        search = UserSearch(
            fields["q"] ?? "", match: fields["match"].flatMap { UserQuery.Match(rawValue: $0) } ?? .beginning,
            status: fields["state"].flatMap { BackendUser.Status(rawValue: $0) })
        edge = fields["after"].map { .after($0) } ?? fields["before"].map { .before($0) }
    }

    var query: String { FormFields.text(fields) }

    /// The address, which needs only ampersands escaped in quoted attribute values.
    var address: String { Self.address(OperatorPages.path, fields) }

    func question(about user: BackendUser) -> String {
        Self.address(
            OperatorPages.path + "/revoke", [("user", user.userID), ("identity", user.fingerprint)] + fields)
    }

    private static func address(_ path: String, _ fields: [(name: String, value: String)]) -> String {
        HTMLText.escaped(fields.isEmpty ? path : path + "?" + FormFields.text(fields))
    }

    private var fields: [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if !search.typed.isEmpty { fields.append(("q", search.typed)) }
        if search.match != .beginning { fields.append(("match", search.match.rawValue)) }
        if let status = search.status { fields.append(("state", status.rawValue)) }
        switch edge {
        case .after(let place): fields.append(("after", place))
        case .before(let place): fields.append(("before", place))
        case nil: break
        }
        return fields
    }
}

extension BackendUser.Status {
    /// The order in which operators look through the states.
    static let inOrder: [BackendUser.Status] = [.registered, .blocked, .revoked, .unconfirmed, .confirmed]

    var word: PageWord {
        switch self {
        case .registered: .registered
        case .blocked: .blocked
        case .revoked: .revokedState
        case .unconfirmed: .unconfirmed
        case .confirmed: .pinNotChosen
        }
    }
}
