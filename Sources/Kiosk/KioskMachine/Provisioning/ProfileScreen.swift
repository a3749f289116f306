// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Shows the kiosk's number, and looks for a profile: no operator has set it up yet.
struct ProfileScreen: IdleScreen {
    /// A remark, for a moment.
    var notice: Prompt?

    var isLeft: Bool { true }
    var wantedReadings: WantedReadings { [] }

    /// The interpreter adds the kiosk's public key.
    func view(_ kiosk: KioskMachine) -> KioskView {
        let trouble: PromptKey? =
            if !kiosk.isKeypadWorking { .keypadMissing } else if !kiosk.isCameraWorking { .cameraMissing } else { nil }
        let number = kiosk.ownNumber.map { [Prompt(.kioskNumber, [.number: $0])] } ?? []
        return KioskView(
            .setup, trouble == nil ? .ready : .trouble, title: Prompt(.profileTitle),
            lines: number + [Prompt(.profileHelp)],
            hint: notice ?? trouble.map { Prompt($0) } ?? kiosk.scanHint.map { Prompt($0.promptKey) },
            actions: [.language])
    }

    func pressed(_ key: KnownKey, _ kiosk: inout KioskMachine) -> [KioskAction] {
        if key == .digit(2) || key == .clear { kiosk.turnLanguage() }
        return []
    }

    func seen(_ reading: CodeReading, _ kiosk: inout KioskMachine) -> [KioskAction] {
        // The person who holds up another code came too early, or has the wrong card.
        guard let profile = reading.profile else { return refused(.profileOnly, &kiosk) }
        return take(profile, reading.handle, &kiosk)
    }

    /// - Parameter handle: the profile itself.
    func take(
        _ profile: Result<ProfileOffer, ProfileRefusal>, _ handle: Handle, _ kiosk: inout KioskMachine
    ) -> [KioskAction] {
        switch profile {
        case .success(let offer):
            return [.stopTimer(.notice)] + kiosk.pauseCamera()
                + ProfileQuestionScreen(offer: offer, handle, kiosk).show(&kiosk)
        case .failure(let refusal): return kiosk.refuse(.profile(refusal))
        }
    }

    func refused(
        _ remark: PromptKey, for refusal: CodeRefusal, _ duration: Duration, _ kiosk: inout KioskMachine
    ) -> [KioskAction] { refused(remark, &kiosk) }

    private func refused(_ remark: PromptKey, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.state = .idle(ProfileScreen(notice: Prompt(remark)))
        return [.startTimer(.notice, KioskTiming.cardNotice, .none)]
    }

    func fired(_ timer: KioskTimer, _ kiosk: inout KioskMachine) -> [KioskAction] {
        if timer == .notice { kiosk.state = .idle(ProfileScreen()) }
        return []
    }
}
