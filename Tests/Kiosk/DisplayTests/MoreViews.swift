// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

/// Views beside those that the machine gives on its way.
enum MoreViews {
    static let all: [(name: String, view: KioskView)] = {
        var rest = KioskView(.scan, .ready, title: Prompt(.scanTitle), lines: [Prompt(.scanHelp)])
        rest.restStep = 2
        var hinted = KioskView(
            .scan, .ready, title: Prompt(.scanTitle), lines: [Prompt(.scanHelp)], hint: Prompt(.hintTooManyCodes),
            actions: [
                ViewAction(.digit(0), .actionTypeCode), ViewAction(.menu, .actionMenu),
                ViewAction(.digit(2), .actionLanguage),
            ])
        hinted.languageTurn = 0
        return [
            ("rest", rest), ("scan with a hint", hinted),
            (
                "camera is missing",
                KioskView(
                    .scan, .trouble, title: Prompt(.cameraMissing), lines: [Prompt(.nextTellOperator)],
                    actions: [ViewAction(.digit(0), .actionTypeCode), ViewAction(.digit(2), .actionLanguage)])
            ),
            (
                "typed code",
                KioskView(
                    .codeEntry, .ask, title: Prompt(.codeEntryTitle), lines: [Prompt(.codeEntryHelp)],
                    hint: Prompt(.codeMistyped), entry: .code(SecretBytes(copying: Array("73916482".utf8))),
                    actions: [
                        ViewAction(.enter, .actionOK), ViewAction(.clear, .actionClear), ViewAction(.back, .actionBack),
                    ])
            ),
            (
                "a long address",
                KioskView(
                    .identityEntry, .ask, title: Prompt(.identityEntryTitle),
                    lines: [Prompt(.identityEntryHelp)],
                    entry: .text("maximiliane.mustermann-schneider@subdomain.example-university.example.org"),
                    actions: [
                        ViewAction(.enter, .actionOK), ViewAction(.clear, .actionClear), ViewAction(.back, .actionBack),
                    ])
            ),
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
