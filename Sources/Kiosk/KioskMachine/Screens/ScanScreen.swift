// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// Shows that the kiosk trusts no service.
struct FirstRunScreen: IdleScreen {
    var isLeft: Bool { true }
    var takesCodes: Bool { false }

    func view(_ kiosk: KioskMachine) -> KioskView {
        KioskView(.firstRun, .trouble, title: Prompt(.firstRunTitle), lines: [Prompt(.firstRunHelp)])
    }

    func pressed(_ key: KnownKey, _ kiosk: inout KioskMachine) -> [KioskAction] { [] }
    func fired(_ timer: KioskTimer, _ kiosk: inout KioskMachine) -> [KioskAction] { [] }
}

/// Looks for a code; the person may choose something else.
struct ScanScreen: IdleScreen {
    /// A remark, for a moment.
    var notice: Prompt?

    var isLeft: Bool { true }

    func view(_ kiosk: KioskMachine) -> KioskView {
        guard kiosk.isClockSet else {
            return KioskView(
                .scan, .trouble, title: Prompt(.waitingForTime), lines: [Prompt(.waitingForTimeHelp)], hint: notice,
                actions: [ViewAction.language] + kiosk.speechActions + kiosk.lookActions)
        }
        guard kiosk.isCameraWorking else {
            let trouble: PromptKey = kiosk.cameraTrouble == .undecodable ? .cameraUnreadable : .cameraMissing
            return KioskView(
                .scan, .trouble, title: Prompt(.scanTitle), lines: [Prompt(trouble)], hint: notice,
                actions: actions(kiosk))
        }
        guard kiosk.isKeypadWorking else {
            return KioskView(.scan, .trouble, title: Prompt(.scanTitle), lines: [Prompt(.keypadMissing)], hint: notice)
        }
        return KioskView(
            .scan, .ready, title: Prompt(.scanTitle),
            lines: [Prompt(.scanHelp)] + (kiosk.speech == nil ? [] : [Prompt(.speechHelp)]),
            hint: notice ?? kiosk.scanHint.map { Prompt($0.promptKey) }, actions: actions(kiosk))
    }

    private func actions(_ kiosk: KioskMachine) -> [ViewAction] {
        // Digits, which every pad has. MENU and CLEAR do the same.
        let code = kiosk.services.isEmpty ? [] : [ViewAction(.digit(0), .actionTypeCode)]
        let menu = kiosk.menu.isEmpty ? [] : [ViewAction(.digit(1), .actionMenu)]
        return code + menu + [ViewAction.language] + kiosk.speechActions + kiosk.lookActions
    }

    func pressed(_ key: KnownKey, _ kiosk: inout KioskMachine) -> [KioskAction] {
        if let actions = kiosk.hearBootKey(key) { return actions }
        switch key {
        case .pinDigit, .codeKey: return []
        // Works on the dark screen too: this person may not see that it is dark.
        case .digit(5) where kiosk.policy.offersSpeech: return kiosk.switchSpeech()
        case .digit(7) where kiosk.policy.offersLook: return kiosk.changeLook()
        case .digit(4) where kiosk.speech != nil: return kiosk.changeVolume(by: -1)
        case .digit(6) where kiosk.speech != nil: return kiosk.changeVolume(by: 1)
        case _ where kiosk.isResting: return kiosk.wake()
        case .digit(0) where kiosk.isClockSet: return kiosk.choosePlace(for: .login)
        case .digit(1) where kiosk.isClockSet, .menu where kiosk.isClockSet:
            return kiosk.menu.isEmpty ? [] : MenuScreen().show(&kiosk)
        case .digit(2), .clear:
            kiosk.turnLanguage()
            return []
        case .digit, .enter, .back, .menu, .character: return []
        }
    }

    func refused(
        _ remark: PromptKey, for refusal: CodeRefusal, _ duration: Duration, _ kiosk: inout KioskMachine
    ) -> [KioskAction] {
        ScanScreen(notice: Prompt(remark)).show(for: duration, &kiosk) + kiosk.wake()
    }

    /// Shows its remark.
    func show(for duration: Duration = KioskTiming.notice, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.state = .idle(self)
        return [.startTimer(.notice, duration, .none)]
    }

    func fired(_ timer: KioskTimer, _ kiosk: inout KioskMachine) -> [KioskAction] {
        if timer == .notice { kiosk.state = .idle(ScanScreen()) }
        return []
    }
}

extension KioskMachine {
    /// A multiple of every number of languages up to ten, so that a full round skips none.
    static let languageTurns = 2520

    /// Notes that a key asked for the next language.
    mutating func turnLanguage() { languageTurn = (languageTurn + 1) % Self.languageTurns }
}

extension ViewAction {
    /// Changes the language.
    static let language = ViewAction(.digit(2), .actionLanguage)
}

extension ScannerHint {
    /// The sentence for the person who holds the code.
    public var promptKey: PromptKey {
        switch self {
        case .tooDark: .hintTooDark
        case .tooBright: .hintTooBright
        case .blurred: .hintBlurred
        case .tooSmall: .hintTooSmall
        case .unreadable: .hintUnreadable
        case .mirrored: .hintMirrored
        case .tooManyCodes: .hintTooManyCodes
        }
    }
}
