// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

extension DisplayView {
    /// The view in the words of a language.
    ///
    /// - Parameters:
    ///   - shownFor: the time since the view was first shown.
    ///   - domains: of e-mail addresses, for a keyboard.
    public init(_ view: KioskView, in languages: Languages, shownFor: Duration = .zero, domains: [String] = []) {
        let view = view.atItsKeys
        let catalogue = languages.catalogue(for: view)
        self.init(view.stage, view.tone, title: catalogue.text(view.title))
        language = catalogue.language
        lines = view.lines.map { Line($0, in: catalogue) }
        factCount = view.factCount
        document = (view.document?.lines ?? []).map { line in
            Row(line.pieces.map { Row.Piece($0.shown, isMark: $0.isMark) })
        }
        hint = view.hint.map(catalogue.text) ?? ""
        entry = view.entry.flatMap { entry in
            switch entry {
            case .masked(let count, let capacity): .masked(count: count, capacity: max(capacity, count))
            case .text(let text): .text(text)
            case .code(let code): .text(CodeText.grouped(code))
            case .digits(let digits): .digits(CodeText.toCopy(digits))
            case .card(let text): CardCode(text).map { .code($0.grid) }
            }
        }
        isBusy = view.isBusy
        showsPreview = view.showsPreview
        keys = view.actions.map { action in
            let isLanguage = action.label.key == .actionLanguage
            return Key(
                Key.Role(action.key), cap: catalogue.text(view.keyNames.names(of: action.key)),
                label: isLanguage
                    ? languages.catalogue(after: view).name
                    : KioskView.lookSign(of: action) ?? catalogue.text(action.label),
                meaning: view.meaning(of: action), isLanguage: isLanguage)
        }
        keyboard = Keyboard(view, in: catalogue, domains: domains)
        countdown = view.countdown.map { max($0 - shownFor, .zero) }
        restStep = view.restStep
        isAsleep = view.isAsleep
        look = view.look
        excuses = Excuses(
            facts: catalogue.text(Prompt(.factsNeedRoom)), document: catalogue.text(Prompt(.documentNeedsRoom)),
            code: catalogue.text(Prompt(.cardNeedsRoom)))
    }
}

extension DisplayView.Line {
    fileprivate init(_ line: Prompt, in catalogue: PromptCatalogue) {
        let parts = catalogue.parts(line)
        let kind: Kind =
            switch line.key {
            case .consentDomain: .domain
            case .browserElsewhere: .warning
            case .cardEnds: .quiet
            case .tapHelp, .tapAddressHelp, .numLockHelp, .serviceChoiceHelp, .doorChoiceHelp: .advice
            default: .plain
            }
        self.init(label: parts.label ?? "", parts.text, kind: kind)
    }
}

extension DisplayView.Key.Role {
    fileprivate init(_ key: Key) {
        self =
            switch key {
            case .digit: .digit
            case .character: .other
            case .enter: .enter
            case .clear: .clear
            case .back: .back
            case .menu: .menu
            }
    }
}
