// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Asks the service about itself, then opens its backend. Shown at once, as a sign that the code was read.
struct Connecting: StepScreen {
    /// `readService`, then `openBackend`.
    let step: KioskStep

    var isShownAtOnce: Bool { true }
    var stage: KioskStage { .connecting }
    var title: Prompt { Prompt(.connecting) }

    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        KioskView(
            stage, .working, title: session.serviceName.map { Prompt(.connectingTo, [.service: $0]) } ?? title,
            isBusy: true, actions: [ViewAction(.back, .actionCancel)])
    }

    func pressed(_ key: KnownKey, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        key == .back ? declined(session, &kiosk) : []
    }

    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]? {
        var session = session
        switch (step, answer) {
        case (.readService, .serviceFound(let name, let backend)):
            session.service = name
            session.backend = backend
            session.serverWasTold = session.code != nil
            kiosk.show(Connecting(step: .openBackend), session)
            return [.perform(.openBackend, session.number)]
        case (.openBackend, .backendOpened(let details)):
            session.details = details
            return kiosk.pauseCamera() + begin(session, &kiosk)
        default: return nil
        }
    }

    private func begin(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        var session = session
        switch session.details?.obstacle {
        case .codeExpired?:
            let (outcome, message): (SessionOutcome, PromptKey) =
                session.isTyped ? (.invalidCode, .codeMistyped) : (.sessionExpired, .sessionExpired)
            return kiosk.conclude(session, outcome, Prompt(message), stepIsOver: true)
        case .browserElsewhere?:
            return kiosk.conclude(
                session, .notAuthorized, Prompt(.browserElsewhereRefused), line: Prompt(.nextNotYours),
                stepIsOver: true)
        case nil: break
        }
        if let request = session.details?.signing {
            session.purpose = .signing
            guard !request.isSigned else {
                return kiosk.conclude(session, .sessionExpired, Prompt(.signingExpired), stepIsOver: true)
            }
        }
        if let named = session.namedInPlaceOfHolder {
            let message = Prompt(.cardOfSomebodyElse, [.user: DisplayText(named).description])
            return kiosk.conclude(session, .unknownUser, message, stepIsOver: true)
        }
        guard session.code == nil, session.purpose != .login else {
            kiosk.show(ConsentScreen(), session)
            return []
        }
        // The person began the task, so there is nothing to consent to.
        return session.rules.begin(session, &kiosk)
    }

    func failed(_ failure: KioskFailure, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        var outcome = failure.outcome(at: session.service == nil ? .readingService : .connecting)
        // A code that the server does not know has expired, unless a person typed it.
        if outcome == .sessionExpired, session.isTyped { outcome = .invalidCode }
        return kiosk.conclude(session, outcome, because: failure, failed: .backendFailed)
    }
}
