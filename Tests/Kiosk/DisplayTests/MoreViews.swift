// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues
import ScreenTestKit

/// Views beside those that the machine gives on its way.
enum MoreViews {
    /// All views, each with a name of its own, so that every stage of a session has one.
    static let catalogue: [(name: String, view: KioskView)] = {
        var names: Set<String> = []
        let more = [all, stages, guide].flatMap { $0.map { (name: $0.key, view: $0.value) } }
        return (SampleViews.all + more).map { name, view in
            var (own, count) = (name, 1)
            while !names.insert(own).inserted { (own, count) = ("\(name) \(count + 1)", count + 1) }
            return (own, view)
        }
    }()

    /// Stages that the machine's samples do not pass, and long lists.
    private static let stages: KeyValuePairs<String, KioskView> = {
        let whoAndWhere = [
            Prompt(.pinUser, [.user: "alice@example.com"]), Prompt(.consentService, [.service: "Example Shop"]),
            Prompt(.consentDomain, [.domain: "login.example.com"]),
        ]
        let okAndBack = [ViewAction(.enter, .actionOK), ViewAction(.back, .actionBack)]
        func list(_ names: String...) -> [Prompt] {
            names.enumerated().map { Prompt(.listEntry, [.number: "\($0.offset + 1)", .user: $0.element]) }
        }
        return [
            "consent with a third key": KioskView(
                .consent, .ask, title: Prompt(.consentTitle), lines: Array(whoAndWhere.reversed()), factCount: 3,
                actions: [
                    ViewAction(.enter, .actionOK), ViewAction(.back, .actionNotMe),
                    ViewAction(.menu, .actionSomeoneElse),
                ]),
            "which service": KioskView(
                .serviceChoice, .ask, title: Prompt(.serviceChoiceTitle),
                lines: [Prompt(.serviceChoiceHelp)]
                    + list("login.example.com", "www.example.org", "library.example.net", "sso.example.edu"),
                entry: .text("2"), actions: okAndBack),
            "who is it": KioskView(
                .identityChoice, .ask, title: Prompt(.choiceTitle), lines: [Prompt(.choiceHelp)], entry: .text(""),
                actions: okAndBack + [ViewAction(.menu, .actionLetters)]),
            "which document": KioskView(
                .documentChoice, .ask, title: Prompt(.documentChoiceTitle),
                lines: [Prompt(.documentChoiceCode), Prompt(.documentChoiceNumber)]
                    + list("Loan of the workshop", "Entry to the laboratory"), entry: .text("1"),
                actions: okAndBack),
            "sign": KioskView(
                .signQuestion, .ask, title: Prompt(.signQuestionTitle),
                lines: whoAndWhere + [
                    Prompt(.documentName, [.name: "Loan of the workshop"]), Prompt(.signQuestionHelp),
                ], factCount: 4, actions: [ViewAction(.enter, .actionSign), ViewAction(.back, .actionBack)]),
            "signing": KioskView(.signing, .working, title: Prompt(.signing), lines: whoAndWhere, isBusy: true),
            "logging out": KioskView(.loggingOut, .working, title: Prompt(.loggingOut), isBusy: true),
            "a card is offered": KioskView(
                .cardOffer, .ask, title: Prompt(.registrationDone, [.number: "3"]),
                lines: whoAndWhere + [Prompt(.cardOfferHelp)],
                actions: [ViewAction(.enter, .actionContinue), ViewAction(.digit(1), .actionCard)]),
            "cancelled": KioskView(
                .outcome, .ready, title: Prompt(.declined), actions: [ViewAction(.enter, .actionContinue)],
                countdown: .seconds(5)),
            "document": document(.smallest),
        ]
    }()

    private static let all: KeyValuePairs<String, KioskView> = {
        var rest = KioskView(.scan, .ready, title: Prompt(.scanTitle), lines: [Prompt(.scanHelp)])
        rest.restStep = 2
        let hinted = KioskView(
            .scan, .ready, title: Prompt(.scanTitle), lines: [Prompt(.scanHelp)], hint: Prompt(.hintTooManyCodes),
            actions: [
                ViewAction(.digit(0), .actionTypeCode), ViewAction(.menu, .actionMenu),
                ViewAction(.digit(2), .actionLanguage),
            ])
        return [
            "rest": rest, "scan with a hint": hinted,
            "camera is missing": KioskView(
                .scan, .trouble, title: Prompt(.cameraMissing), lines: [Prompt(.nextTellOperator)],
                actions: [ViewAction(.digit(0), .actionTypeCode), ViewAction(.digit(2), .actionLanguage)]),
            "typed code": KioskView(
                .codeEntry, .ask, title: Prompt(.codeEntryTitle), lines: [Prompt(.codeEntryHelp)],
                hint: Prompt(.codeMistyped), entry: .code(SecretBytes(copying: Array("73916482".utf8))),
                actions: [
                    ViewAction(.enter, .actionOK), ViewAction(.clear, .actionClear), ViewAction(.back, .actionBack),
                ]),
            "a long address": KioskView(
                .identityEntry, .ask, title: Prompt(.identityEntryTitle),
                lines: [Prompt(.identityEntryHelp)],
                entry: .text("maximiliane.mustermann-schneider@subdomain.example-university.example.org"),
                actions: [
                    ViewAction(.enter, .actionOK), ViewAction(.clear, .actionClear), ViewAction(.back, .actionBack),
                ]),
        ]
    }()

    /// A page that fills a room, with a spelled-out character.
    static func document(_ room: DocumentPageSize) -> KioskView {
        let words = String(repeating: "Aнge mW", count: 20)
        let lines = (0..<room.rows).map { row in
            DocumentLine(
                pieces: row == 1
                    ? [.text("I pay"), .mark("\u{202E}"), .text("ten")] : [.text(String(words.prefix(room.columns)))],
                isWrapped: false)
        }
        return KioskView(
            .document, .ask, title: Prompt(.documentTitle),
            lines: [
                Prompt(.consentService, [.service: "Example Shop"]),
                Prompt(.consentDomain, [.domain: "login.example.com"]),
                Prompt(.documentPage, [.page: "10", .pages: "10"]),
            ], document: DocumentPage(lines: lines, number: 1, count: 2), hint: Prompt(.documentMark),
            actions: [ViewAction(.enter, .actionNextPage), ViewAction(.back, .actionPreviousPage)])
    }
}
