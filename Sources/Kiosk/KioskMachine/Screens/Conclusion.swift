// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The outcome of a session while it is shown. Right after a login the person can end the browser's session from here,
/// if the relying party gave the data for it.
struct Conclusion: Sendable {
    let session: SessionNumber
    let outcome: SessionOutcome
    let message: Prompt
    var facts: [Prompt] = []
    var line: Prompt?
    /// Whether the person chose this end. It is not a failure, and the kiosk is ready again.
    var isOwnChoice = false
    /// The person whose browser session can be ended from here.
    var logout: KioskIdentity?
    var isLoggingOut = false

    var view: KioskView {
        guard !isLoggingOut else {
            return KioskView(.loggingOut, .working, title: Prompt(.loggingOut), isBusy: true)
        }
        return KioskView(
            .outcome, outcome.isSuccess ? .success : isOwnChoice ? .ready : .failure, title: message,
            lines: facts + [line].compactMap(\.self),
            actions: [ViewAction(.enter, .actionContinue)]
                + (logout == nil ? [] : [ViewAction(.digit(1), .actionLogout)]),
            countdown: KioskTiming.display(of: outcome))
    }

    func pressed(_ key: KnownKey, _ kiosk: inout KioskMachine) -> [KioskAction] {
        guard !isLoggingOut else { return [] }
        switch key {
        case .enter, .back: return kiosk.backToScanning()
        case .digit(1): return logOut(&kiosk)
        case .digit, .pinDigit, .codeKey, .clear, .menu, .character: return []
        }
    }

    func timeIsOver(_ kiosk: inout KioskMachine) -> [KioskAction] {
        isLoggingOut ? [.cancelStep(session)] + logoutFailed(&kiosk) : kiosk.backToScanning()
    }

    func stepEnded(_ result: Result<StepAnswer, KioskFailure>, _ kiosk: inout KioskMachine) -> [KioskAction] {
        guard isLoggingOut else { return [] }
        guard case .success(.loggedOut) = result else { return logoutFailed(&kiosk) }
        return conclude(.loggedIn, Prompt(.loggedOut), &kiosk)
    }

    private func logOut(_ kiosk: inout KioskMachine) -> [KioskAction] {
        guard let logout else { return [] }
        var underWay = self
        underWay.isLoggingOut = true
        kiosk.state = .over(underWay)
        return [.startTimer(.outcome, KioskTiming.logout, session), .perform(.logout(logout), session)]
    }

    /// The browser may still be logged in, so the person has to look there.
    private func logoutFailed(_ kiosk: inout KioskMachine) -> [KioskAction] {
        conclude(.failed, Prompt(.logoutFailed), &kiosk)
    }

    /// - Parameter outcome: sets the tone; the session already ended with its own.
    private func conclude(
        _ outcome: SessionOutcome, _ message: Prompt, _ kiosk: inout KioskMachine
    ) -> [KioskAction] {
        kiosk.state = .over(Conclusion(session: session, outcome: outcome, message: message))
        return [.startTimer(.outcome, KioskTiming.display(of: outcome), session)]
    }
}
