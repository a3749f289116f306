// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

// Making a personal card: the interpreter holds its text, the machine knows that it is shown.

/// The continuation when the person has the card, or could not get it.
enum AfterCard: Hashable, Sendable {
    /// The person was just registered, and continues with the session's purpose.
    case registration
    /// The person came for the card.
    case task
    /// The PIN of the person's card has changed.
    case changeOfPIN
}

/// Offers a registered person a card.
struct CardOfferScreen: SessionScreen {
    let identity: KioskIdentity

    func show(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.show(self, session)
        return [.startTimer(.session, KioskTiming.session, session.number)]
    }

    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        KioskView(
            .cardOffer, .ask, title: Prompt(.registrationDone, [.number: identity.numberText]),
            lines: session.whoAndWhere(identity) + [Prompt(.cardOfferHelp)],
            actions: [ViewAction(.enter, .actionContinue), ViewAction(.digit(1), .actionCard)])
    }

    func pressed(_ key: KnownKey, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        switch key {
        case .digit(1):
            return kiosk.wait(at: WritingCard(identity: identity, after: .registration), session)
        case .enter, .back: return kiosk.proceed(session, after: .registration, identity, hint: nil)
        case .digit, .pinDigit, .codeKey, .clear, .menu, .character: return []
        }
    }

    /// Proceeds if the person came to register, which is done; any other task has timed out.
    func timedOut(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        session.rules.endsWithRegistration
            ? kiosk.proceed(session, after: .registration, identity, hint: nil)
            : kiosk.conclude(session, .timedOut, Prompt(session.rules.timedOut))
    }
}

struct WritingCard: StepScreen {
    let identity: KioskIdentity
    let after: AfterCard

    var step: KioskStep { .writeCard(identity) }
    var title: Prompt { Prompt(.writingCard) }

    func answered(_ answer: StepAnswer, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction]? {
        guard case .cardWritten(let ends) = answer else { return nil }
        return IssuedCardScreen(identity: identity, after: after, ends: ends).show(session, &kiosk)
    }

    func failed(_ failure: KioskFailure, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        let outcome = failure.outcome(at: .connecting)
        if failure.sentence == .cardNeedsRoom, session.holder != nil { return kiosk.keepOldCard(session) }
        switch after {
        case .registration:
            return kiosk.proceed(
                session, after: after, identity, hint: outcome.message(failure, failed: .cardFailed), stepIsOver: true)
        case .task: return kiosk.conclude(session, outcome, because: failure, failed: .cardFailed)
        // Only the card with the old PIN exists.
        case .changeOfPIN: return kiosk.conclude(session, outcome, because: failure, failed: .pinChangeFailed)
        }
    }
}

/// Shows the card as a QR code, for the camera of a phone.
struct IssuedCardScreen: SessionScreen {
    let identity: KioskIdentity
    let after: AfterCard
    /// The end of the card's validity, as people read it.
    let ends: String

    func show(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.show(self, session)
        return [.startTimer(.session, KioskTiming.issuedCard, session.number)]
    }

    /// The interpreter adds the card.
    func view(_ session: Session, _ kiosk: KioskMachine) -> KioskView {
        let replaces = after == .changeOfPIN || session.holder != nil
        return KioskView(
            .issuedCard, .success, title: Prompt(.issuedCardTitle),
            lines: [Prompt(.pinUser, [.user: session.name(of: identity)]), Prompt(.issuedCardHelp)]
                + Prompt.cardEnds(ends)
                + (replaces ? [Prompt(after == .changeOfPIN ? .oldCardOldPIN : .oldCard)] : []),
            entry: .card(SecretBytes(copying: [])), actions: [ViewAction(.enter, .actionDone)])
    }

    func pressed(_ key: KnownKey, _ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        key == .enter || key == .back ? leave(session, &kiosk) : []
    }

    func timedOut(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] { leave(session, &kiosk) }

    var outcomeWhenStopped: SessionOutcome {
        switch after {
        case .registration: .stopped
        case .task: .codeIssued
        case .changeOfPIN: .pinChanged
        }
    }

    private func leave(_ session: Session, _ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.proceed(session, after: after, identity, hint: nil)
    }
}

extension KioskMachine {
    /// Ends the session of a person whose new card would not fit the screen; nothing is changed.
    mutating func keepOldCard(_ session: Session) -> [KioskAction] {
        conclude(session, .notOffered, Prompt(.cardNeedsLargerScreen), stepIsOver: true)
    }

    /// - Parameters:
    ///   - hint: the fault with the card.
    ///   - stepIsOver: whether the event is the answer of the step under way.
    fileprivate mutating func proceed(
        _ session: Session, after: AfterCard, _ identity: KioskIdentity, hint: Prompt?, stepIsOver: Bool = false
    ) -> [KioskAction] {
        switch after {
        case .registration: return finishRegistration(session, identity, hint: hint, stepIsOver: stepIsOver)
        case .task:
            return [.stopTimer(.session), .closeSession(session.number, .codeIssued)] + backToScanning()
        case .changeOfPIN: return conclude(session, .pinChanged, Prompt(.pinChanged), line: Prompt(.oldCardOldPIN))
        }
    }
}
