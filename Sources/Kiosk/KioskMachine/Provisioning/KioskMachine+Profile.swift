// SPDX-License-Identifier: Apache-2.0

// A kiosk without an operator takes a profile: from its camera, or from a file. Nothing is changed before the person
// has agreed to its operator and its contents.

extension KioskMachine {
    /// Takes a profile from a file. Only a kiosk without an operator looks at it.
    ///
    /// - Parameter handle: the profile itself.
    public mutating func profileFound(
        _ profile: Result<ProfileOffer, ProfileRefusal>, _ handle: Handle
    ) -> [KioskAction] {
        guard case .idle(let screen as ProfileScreen) = state else { return [] }
        return screen.take(profile, handle, &self)
    }

    /// Answers `applyProfile`: the profile is installed, or changed nothing.
    public mutating func profileEnded(_ result: Result<ProfileEffect, ProfileRefusal>) -> [KioskAction] {
        guard case .idle(let screen as SettingUpScreen) = state, screen.progress == .installing else { return [] }
        switch result {
        case .success(let effect):
            state = .idle(SettingUpScreen(progress: .installed(effect)))
            return [.startTimer(.notice, KioskTiming.success, .none)]
        case .failure(let refusal): return dropProfile() + refuse(.profile(refusal))
        }
    }

    /// Drops the profile: the person said no, or left, or nothing could be changed.
    mutating func dropProfile() -> [KioskAction] {
        state = .idle(ProfileScreen())
        return [.stopTimer(.typing)] + resumeCamera()
    }

    /// Whether this kiosk's public key belongs into the view now.
    public var showsOwnKey: Bool { if case .idle(is ProfileScreen) = state { true } else { false } }

    /// Whether a profile is active from now on.
    var isSetUp: Bool { if case .idle(let screen as SettingUpScreen) = state { screen.isLeft } else { false } }
}
