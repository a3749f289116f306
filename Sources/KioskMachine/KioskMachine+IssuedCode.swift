// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

// Digits that the server issued, for the person to read and type in somewhere else. They stay with the interpreter; the
// machine knows how long they live, and takes them from the screen in time.
extension KioskMachine {
    /// Whether digits that the server issued belong into the view now.
    public var showsIssuedCode: Bool { if case .showingCode = state { true } else { false } }

    /// Answer of `finishAuthentication` for an errand that ends with a code.
    ///
    /// - Parameter lifetime: how long the server takes it, from now.
    public mutating func codeIssued(lifetime: Duration, session number: SessionNumber) -> [KioskAction] {
        guard case .authenticating(let session, let identity) = state, session.number == number,
            session.purpose.issuesCode
        else { return [] }
        return [.stopTimer(.session)]
            + showCode(session, identity, timeLeft: max(min(lifetime, KioskTiming.issuedCode), .seconds(1)))
    }

    /// Some of the code's time has gone.
    mutating func countDown() -> [KioskAction] {
        guard case .showingCode(let session, let identity, let timeLeft) = state else { return [] }
        let rest = timeLeft - KioskTiming.countdownStep(from: timeLeft)
        guard rest > .zero else {
            return codeIsOver(session) + showNotice(Prompt(session.purpose.codeExpired))
        }
        return showCode(session, identity, timeLeft: rest)
    }

    /// Blanks the code: the person has it, or its time is over.
    mutating func codeIsOver(_ session: Session) -> [KioskAction] {
        [.stopTimer(.codeLife), .closeSession(session.number, .codeIssued)] + backToScanning()
    }

    private mutating func showCode(
        _ session: Session, _ identity: KioskIdentity, timeLeft: Duration
    ) -> [KioskAction] {
        state = .showingCode(session, identity, timeLeft: timeLeft)
        return [.startTimer(.codeLife, KioskTiming.countdownStep(from: timeLeft), session.number)]
    }

    /// The interpreter puts in the digits.
    func issuedCodeView(_ session: Session, _ identity: KioskIdentity, timeLeft: Duration) -> KioskView {
        KioskView(
            .issuedCode, .success, title: Prompt(session.purpose.title),
            lines: whoAndWhere(session, identity) + [
                Prompt(session.purpose.codeHelp), Prompt(.codeTimeLeft, [.seconds: "\(timeLeft.wholeSeconds)"]),
            ], entry: .digits(SecretBytes(copying: [])), actions: [ViewAction(.enter, .actionDone)])
    }
}

extension Errand {
    fileprivate var issuesCode: Bool { self == .oneTimePassword || self == .quickCode }
    fileprivate var codeHelp: PromptKey { self == .quickCode ? .quickCodeHelp : .oneTimePasswordHelp }
    fileprivate var codeExpired: PromptKey { self == .quickCode ? .quickCodeExpired : .oneTimePasswordExpired }
}

extension Duration {
    /// Rounded up, so that something is left as long as something is left.
    var wholeSeconds: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
