// SPDX-License-Identifier: Apache-2.0

// A kiosk without an operator takes a setup: from its camera, or from a file. Nothing is changed before the person has
// agreed to its operator and its contents.

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
        guard case .idle(let screen as SettingUpScreen) = state, screen.progress == .installing else { return [] }
        switch result {
        case .success(let effect):
            state = .idle(SettingUpScreen(progress: .installed(effect)))
            return [.startTimer(.notice, KioskTiming.success, .none)]
        case .failure(let refusal): return leaveSetup() + refuse(.setup(refusal))
        }
    }

    /// Leaves the setup: the person said no, or left, or nothing could be changed.
    mutating func leaveSetup() -> [KioskAction] {
        state = .idle(SetupScreen())
        return [.stopTimer(.typing)] + resumeCamera()
    }

    /// Whether this kiosk's public key belongs into the view now.
    public var showsOwnKey: Bool { if case .idle(is SetupScreen) = state { true } else { false } }

    /// Whether a setup is active from now on.
    var isSetUp: Bool { if case .idle(let screen as SettingUpScreen) = state { screen.isLeft } else { false } }
}
