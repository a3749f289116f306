// SPDX-License-Identifier: Apache-2.0

import KioskPorts

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
