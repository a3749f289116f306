// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Logging in a browser; from the menu, with an access code typed by hand.
struct Login: TaskRules {
    var name: String { "typed-code" }
    var title: PromptKey { .taskLogin }
    var declined: PromptKey { .declined }
    var timedOut: PromptKey { .timedOut }
    var outcomeUnknown: PromptKey { .outcomeUnknown }
    func pinPurpose(_ session: Session, _ identity: KioskIdentity) -> [Prompt] { [] }

    func nextStep(after sentence: PromptKey) -> PromptKey? {
        switch sentence {
        case .declined, .timedOut, .newMailNeeded: .nextScanAgain
        case .wrongPIN: .wrongPINScanAgain
        default: nil
        }
    }

    func proved(
        _ answer: StepAnswer, by identity: KioskIdentity, _ session: Session, _ kiosk: inout KioskMachine
    ) -> [KioskAction]? {
        guard case .authenticated(let canLogout, let wrongPINs) = answer else { return nil }
        let line = session.serviceName.map { Prompt(.successAt, [.service: $0]) }
        return kiosk.markUsed(session)
            + kiosk.conclude(
                session, .loggedIn, Prompt(.success), facts: [wrongPINs?.sentence].compactMap(\.self), line: line,
                logout: canLogout ? identity : nil,
                stepIsOver: true)
    }
}
