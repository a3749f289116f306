// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// Right after a login the person can end the browser's session from here, where the relying party said how.
extension KioskMachine {
    mutating func logOut(_ conclusion: Conclusion) -> [KioskAction] {
        guard let identity = conclusion.logout else { return [] }
        state = .loggingOut(conclusion)
        return [
            .startTimer(.outcome, KioskTiming.logout, conclusion.session),
            .perform(.logout(identity), conclusion.session),
        ]
    }

    /// Answer of `logout`.
    public mutating func loggedOut(session number: SessionNumber) -> [KioskAction] {
        guard case .loggingOut(let conclusion) = state, conclusion.session == number else { return [] }
        return conclude(conclusion, .loggedIn, Prompt(.loggedOut))
    }

    /// Nobody knows whether the browser is logged out, so the person looks there.
    mutating func logoutFailed(_ conclusion: Conclusion) -> [KioskAction] {
        conclude(conclusion, .failed, Prompt(.logoutFailed))
    }

    /// - Parameter outcome: for the tone; the session has had its own.
    private mutating func conclude(
        _ conclusion: Conclusion, _ outcome: SessionOutcome, _ message: Prompt
    ) -> [KioskAction] {
        state = .concluding(
            Conclusion(session: conclusion.session, outcome: outcome, message: message, line: nil, logout: nil))
        return [.startTimer(.outcome, KioskTiming.display(of: outcome), conclusion.session)]
    }
}
