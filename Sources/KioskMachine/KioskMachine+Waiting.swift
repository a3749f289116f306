// SPDX-License-Identifier: Apache-2.0

extension KioskMachine {
    /// To be called before a state that waits for a step: what is on the screen stays for a moment, so that an answer that
    /// comes at once does not flicker past.
    mutating func beginWaiting(_ session: Session) -> [KioskAction] {
        // One step after another is one wait.
        guard !state.isWaiting else { return [] }
        if case .connecting = state {
            // Connecting is a wait that is shown already.
            heldView = nil
            return []
        }
        heldView = view
        return [.startTimer(.wait, KioskTiming.wait, session.number)]
    }

    /// The wait is long enough to be shown.
    mutating func showWaiting() -> [KioskAction] {
        if state.isWaiting { heldView = nil }
        return []
    }
}

extension KioskMachine.State {
    /// Whether the person waits behind a key that was pressed. Connecting is no such wait: it is shown at once, for it tells
    /// that the code was read.
    var isWaiting: Bool {
        switch self {
        case .working, .authenticating: true
        default: false
        }
    }
}
