// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinServer

/// An identity or open registration as the operator's pages show it, in their language.
struct UserRow {
    private let user: BackendUser
    private let words: PageWords
    /// The part of the list that the operator sees after an action.
    private let view: OperatorView
    private let session: OperatorSession

    init(_ user: BackendUser, _ words: PageWords, in view: OperatorView, of session: OperatorSession) {
        (self.user, self.words, self.view, self.session) = (user, words, view, session)
    }

    /// A row of the list, with the values for programs in its attributes.
    var row: String {
        let isOpen = user.status == .unconfirmed || user.status == .confirmed
        let name =
            "\(HTMLText.isolated(user.userID))\(mixedScripts) "
            + "<code title=\"\(words(.identity))\">\(user.fingerprint)</code>"
        let lastLogin =
            user.lastLogin.map(words.timeElement)
            ?? (isOpen ? "" : "<span class=\"none\">\(words(.never))</span>")
        let since = (isOpen ? "<span class=\"wide\">\(words(.until))</span> " : "") + words.timeElement(user.since)
        let cells = [
            cell(.user, class: "user", name), cell(.state, state),
            cell(.wrongPINs, class: "number", isOpen ? "" : words.number(user.failures)),
            cell(.lastLogin, lastLogin), cell(isOpen ? .until : .since, since),
            cell(.actions, class: "actions", actions),
        ]
        return """
            <tr role="row" data-identity="\(user.fingerprint)" data-state="\(user.status.rawValue)" \
            data-failures="\(user.failures)">\(cells.joined())</tr>
            """
    }

    /// A cell. It contains its column's label, because narrow pages have no table head.
    private func cell(_ label: PageWord, class name: String = "", _ content: String) -> String {
        """
        <td role="cell" class="\(name)\(content.isEmpty ? " empty" : "")" data-label="\(words(label))">\
        <div>\(content)</div></td>
        """
    }

    private var state: String {
        let isRenewing = user.needsRenewal && user.status == .registered
        return """
            \(status)\
            \(isRenewing ? " <span class=\"renewing\">\(words(.renewing))</span>" : "")\
            \(user.isByCode ? " <span class=\"by-code\">\(words(.byCode))</span>" : "")\
            \(user.card.map(card) ?? "")
            """
    }

    private func card(_ card: BackendUser.Card) -> String {
        let times = ["issued": words.timeElement(card.issued), "ends": words.timeElement(card.ends)]
        return " <span class=\"card\">\(words(card.isTemporary ? .temporaryCard : .personalCard, times))</span>"
    }

    private var actions: String {
        let fitting = OperatorAction.allCases.filter { $0.isFor(user) }
        let done = fitting.filter { !$0.isAsked }
        let asked = fitting.filter(\.isAsked).map { action in
            "<a class=\"button danger\" href=\"\(view.question(about: user))\">\(words(action.label))</a>"
        }
        return (done.isEmpty ? "" : form(for: done)) + asked.joined()
    }

    var status: String { "<span class=\"state \(user.status.rawValue)\">\(words(user.status.word))</span>" }

    /// A warning beside a user id that may look like another; empty for all others.
    var mixedScripts: String {
        MixedScripts.areIn(user.userID) ? " <strong class=\"mixed\">\(words(.mixedScripts))</strong>" : ""
    }

    /// A form with a button for each action.
    func form(for actions: [OperatorAction]) -> String {
        let fields: [(name: String, value: String)] = [
            ("token", session.token(forUser: user.userID, fingerprint: user.fingerprint)), ("user", user.userID),
            ("identity", user.fingerprint), ("view", view.query),
        ]
        return """
            <form method="post" action="\(OperatorPages.path)/identities">\(HTMLText.hidden(fields))\
            \(actions.map(button).joined())</form>
            """
    }

    private func button(_ action: OperatorAction) -> String {
        """
        <button type="submit" class="\(action.isAsked ? "danger main" : "")" name="action" \
        value="\(action.rawValue)">\(words(action.label))</button>
        """
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
