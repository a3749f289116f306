// SPDX-License-Identifier: Apache-2.0

extension KioskMachine {
    /// A timer ran out. One of an earlier session, or that does not belong to the state, means nothing any more.
    public mutating func timerFired(_ timer: KioskTimer, session number: SessionNumber) -> [KioskAction] {
        switch timer {
        case .session, .entry:
            guard let session = state.session, session.number == number else { return [] }
            if timer == .entry, !asksForPIN { return [] }
            if showsIssuedCode { return [] }
            return timedOut(session)
        case .wrongPIN:
            guard case .coolingDown(let session, let identity) = state, session.number == number else { return [] }
            return askPIN(session, identity)
        case .wait:
            guard state.session?.number == number else { return [] }
            return showWaiting()
        case .tap: return acceptTap(session: number)
        case .typing:
            switch state {
            case .menu, .choosingService, .typingCode: return leaveCode()
            default: return []
            }
        case .codeLife: return state.session?.number == number ? countDown() : []
        case .rest: return rest()
        case .outcome:
            switch state {
            case .concluding(let conclusion) where conclusion.session == number: return backToScanning()
            case .loggingOut(let conclusion) where conclusion.session == number:
                return [.cancelStep(number)] + logoutFailed(conclusion)
            default: return []
            }
        case .notice:
            if case .scanning = state { state = .scanning(notice: nil) }
            return []
        case .view(let code):
            codes.forgetView(code)
            return []
        case .usedCode(let code):
            codes.forgetUse(code)
            return []
        }
    }
}
