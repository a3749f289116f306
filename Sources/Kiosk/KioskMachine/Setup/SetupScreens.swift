// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// A kiosk without an operator takes a setup: from its camera, or from a file. Nothing is changed before the person has
// agreed to its operator and its contents.

/// Shows the kiosk's number, and looks for a setup: no operator has set it up yet.
struct SetupScreen: IdleScreen {
    /// A remark, for a moment.
    var notice: Prompt?

    var isLeft: Bool { true }
    var wantedReadings: WantedReadings { [] }

    /// The interpreter adds the kiosk's public key.
    func view(_ kiosk: KioskMachine) -> KioskView {
        let trouble: PromptKey? =
            if !kiosk.isKeypadWorking { .keypadMissing } else if !kiosk.isCameraWorking { .cameraMissing } else { nil }
        let number = kiosk.ownNumber.map { [Prompt(.setupNumber, [.number: $0])] } ?? []
        return KioskView(
            .setup, trouble == nil ? .ready : .trouble, title: Prompt(.setupTitle),
            lines: number + [Prompt(.setupHelp)],
            hint: notice ?? trouble.map { Prompt($0) } ?? kiosk.scanHint.map { Prompt($0.promptKey) },
            actions: [ViewAction(.digit(2), .actionLanguage)])
    }

    func pressed(_ key: KnownKey, _ kiosk: inout KioskMachine) -> [KioskAction] {
        if key == .digit(2) || key == .clear { kiosk.turnLanguage() }
        return []
    }

    func seen(_ reading: CodeReading, _ kiosk: inout KioskMachine) -> [KioskAction] {
        // The person who holds up another code came too early, or has the wrong card.
        take(reading.setup ?? .failure(.damaged), reading.handle, isSetup: reading.setup != nil, &kiosk)
    }

    /// - Parameter isSetup: false for a code of another kind.
    func take(
        _ setup: Result<SetupOffer, SetupRefusal>, _ handle: Handle, isSetup: Bool = true,
        _ kiosk: inout KioskMachine
    ) -> [KioskAction] {
        switch setup {
        case .success(let offer):
            return [.stopTimer(.notice)] + kiosk.pauseCamera()
                + SetupQuestionScreen(offer: offer, handle, kiosk).show(&kiosk)
        case .failure(let refusal) where isSetup: return kiosk.refuse(.setup(refusal))
        case .failure: return refused(.setupOnly, &kiosk)
        }
    }

    func refused(
        _ remark: PromptKey, for refusal: CodeRefusal, _ duration: Duration, _ kiosk: inout KioskMachine
    ) -> [KioskAction] { refused(remark, &kiosk) }

    private func refused(_ remark: PromptKey, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.state = .idle(SetupScreen(notice: Prompt(remark)))
        return [.startTimer(.notice, KioskTiming.cardNotice, .none)]
    }

    func fired(_ timer: KioskTimer, _ kiosk: inout KioskMachine) -> [KioskAction] {
        if timer == .notice { kiosk.state = .idle(SetupScreen()) }
        return []
    }
}

/// Shows whose setup it is and what it changes, page by page; the last OK applies it.
struct SetupQuestionScreen: IdleScreen {
    let offer: SetupOffer
    /// The setup itself.
    let handle: Handle
    /// The index of this page's first fact.
    var first = 0
    /// The number of facts on a page. It is constant, so that OK agrees only to those that the person saw.
    let length: Int

    var takesCodes: Bool { false }

    private var facts: [Prompt] {
        [
            Prompt(.setupOperator, [.name: DisplayText(offer.operatorName).description]),
            Prompt(.setupOperatorKey, [.number: offer.operatorKey]),
        ] + (offer.language.map { [Prompt(.setupLanguage, [.name: DisplayText($0).description])] } ?? [])
            + offer.services.map { Prompt(.consentService, [.service: DisplayText($0).description]) }
            + offer.settings.map { Prompt(.setupSetting, [.name: DisplayText($0).description]) }
            + (offer.bringsFleetKey ? [Prompt(.setupFleetKey)] : [])
    }

    /// One fact at a time if not even a document fits: then the screen has only a few rows.
    init(offer: SetupOffer, _ handle: Handle, _ kiosk: KioskMachine) {
        self.offer = offer
        self.handle = handle
        length = kiosk.documentRoom == nil ? 1 : KioskMachine.pageLength
    }

    func show(_ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.state = .idle(self)
        return [.startTimer(.typing, KioskTiming.reading, .none)]
    }

    func view(_ kiosk: KioskMachine) -> KioskView {
        let page = facts.dropFirst(first).prefix(length)
        let isLast = first + page.count >= facts.count
        return KioskView(
            .setupQuestion, .ask, title: Prompt(.setupQuestionTitle), lines: Array(page), factCount: page.count,
            actions: [
                ViewAction(.enter, isLast ? .actionSetUp : .actionMore),
                ViewAction(.back, first == 0 ? .actionCancel : .actionBack),
            ])
    }

    func pressed(_ key: KnownKey, _ kiosk: inout KioskMachine) -> [KioskAction] {
        switch key {
        case .enter where first + length < facts.count: return turned(by: length).show(&kiosk)
        case .enter:
            kiosk.state = .idle(SettingUpScreen())
            return [.stopTimer(.typing), .applySetup(handle)]
        case .back where first > 0: return turned(by: -length).show(&kiosk)
        case .back, .clear: return kiosk.leaveSetup()
        case .digit, .pinDigit, .codeKey, .menu, .character: return []
        }
    }

    private func turned(by count: Int) -> SetupQuestionScreen {
        var page = self
        page.first = max(first + count, 0)
        return page
    }

    func refused(
        _ remark: PromptKey, for refusal: CodeRefusal, _ duration: Duration, _ kiosk: inout KioskMachine
    ) -> [KioskAction] { [] }

    func fired(_ timer: KioskTimer, _ kiosk: inout KioskMachine) -> [KioskAction] {
        timer == .typing ? kiosk.leaveSetup() : []
    }
}

/// Installs the setup, and then activates it.
struct SettingUpScreen: IdleScreen {
    /// The action when the person has read that the setup is installed; nil before that.
    var effect: SetupEffect?
    /// Whether the person has read it.
    var isLeft = false

    var takesCodes: Bool { false }

    func view(_ kiosk: KioskMachine) -> KioskView {
        effect == nil
            ? KioskView(.settingUp, .working, title: Prompt(.settingUp), isBusy: true)
            : KioskView(
                .settingUp, .success, title: Prompt(.setUp), actions: [ViewAction(.enter, .actionContinue)])
    }

    func pressed(_ key: KnownKey, _ kiosk: inout KioskMachine) -> [KioskAction] {
        key == .enter ? goOn(&kiosk) : []
    }

    func fired(_ timer: KioskTimer, _ kiosk: inout KioskMachine) -> [KioskAction] {
        timer == .notice ? goOn(&kiosk) : []
    }

    private func goOn(_ kiosk: inout KioskMachine) -> [KioskAction] {
        guard let effect, !isLeft else { return [] }
        kiosk.state = .idle(SettingUpScreen(effect: effect, isLeft: true))
        return [.stopTimer(.notice), effect == .restart ? .restart : .adoptSetup]
    }

    func refused(
        _ remark: PromptKey, for refusal: CodeRefusal, _ duration: Duration, _ kiosk: inout KioskMachine
    ) -> [KioskAction] { [] }
}

extension KioskMachine {
    /// Takes a setup from a file. Only a kiosk without an operator looks at it.
    ///
    /// - Parameter handle: the setup itself.
    public mutating func setupFound(
        _ setup: Result<SetupOffer, SetupRefusal>, _ handle: Handle
    ) -> [KioskAction] {
        guard case .idle(let screen as SetupScreen) = state else { return [] }
        return screen.take(setup, handle, &self)
    }

    /// Answers `applySetup`: the setup is installed, or changed nothing.
    public mutating func setupEnded(_ result: Result<SetupEffect, SetupRefusal>) -> [KioskAction] {
        guard case .idle(let screen as SettingUpScreen) = state, screen.effect == nil else { return [] }
        switch result {
        case .success(let effect):
            state = .idle(SettingUpScreen(effect: effect))
            return [.startTimer(.notice, KioskTiming.success, .none)]
        case .failure(let refusal): return leaveSetup() + refuse(.setup(refusal))
        }
    }

    /// Leaves the setup: the person said no, or left, or nothing could be changed.
    fileprivate mutating func leaveSetup() -> [KioskAction] {
        state = .idle(SetupScreen())
        return [.stopTimer(.typing)] + resumeCamera()
    }

    /// Whether this kiosk's public key belongs into the view now.
    public var showsOwnKey: Bool { if case .idle(is SetupScreen) = state { true } else { false } }

    /// Whether a setup is active from now on.
    var isSetUp: Bool { if case .idle(let screen as SettingUpScreen) = state { screen.isLeft } else { false } }
}
