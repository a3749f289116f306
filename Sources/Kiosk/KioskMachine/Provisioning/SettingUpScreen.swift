// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Installs the profile, and then activates it.
struct SettingUpScreen: IdleScreen {
    enum Progress: Sendable, Equatable {
        case installing
        /// The person reads that the profile is installed.
        case installed(ProfileEffect)
        /// The person has read it.
        case activating
    }

    var progress = Progress.installing

    var isLeft: Bool { progress == .activating }
    var takesCodes: Bool { false }

    func view(_ kiosk: KioskMachine) -> KioskView {
        progress == .installing
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
        guard case .installed(let effect) = progress else { return [] }
        kiosk.state = .idle(SettingUpScreen(progress: .activating))
        return [.stopTimer(.notice), effect == .restart ? .restart : .adoptProfile]
    }
}
