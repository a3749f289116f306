// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
import LoginValues

extension KioskMachine {
    /// What the person sees now.
    public var view: KioskView {
        if state.isWaiting, let heldView { return heldView }
        var view = viewOfState
        addServiceWait(to: &view)
        view.languageTurn = languageTurn
        view.restStep = restStep
        if view.hint == nil, lostIdentities > 0, missesIdentities(view) {
            view.hint = Prompt(.identitiesLost, [.number: "\(lostIdentities)"])
        }
        return view
    }

    /// Whether it is a view at which a person would look for an identity that is gone, or that the operator sees in passing.
    private func missesIdentities(_ view: KioskView) -> Bool {
        switch view.stage {
        case .firstRun, .scan, .identityChoice, .identityEntry: true
        case .outcome: view.title.key == .identitiesNone
        default: false
        }
    }

    private var viewOfState: KioskView {
        switch state {
        case .untrusted:
            KioskView(.firstRun, .trouble, title: Prompt(.firstRunTitle), lines: [Prompt(.firstRunHelp)])
        case .scanning(let notice): scanView(notice: notice)
        case .menu(let page, let hint): menuView(page: page, hint: hint)
        case .choosingService(let errand, let entry, let hint, let page):
            serviceChoiceView(errand, entry, hint: hint, page: page)
        case .typingCode(let service, let tapsLetters, let hint):
            codeView(services[service], tapsLetters: tapsLetters, hint: hint)
        case .connecting(let session):
            KioskView(
                .connecting, .working,
                title: session.serviceName.map { Prompt(.connectingTo, [.service: $0]) } ?? Prompt(.connecting),
                isBusy: true, actions: [ViewAction(.back, .actionCancel)])
        case .consenting(let session): consentView(session)
        case .choosing(let session, let entry, let hint, let page):
            identityChoiceView(session, entry, hint: hint, page: page)
        case .typingIdentity(let session, let entry, let hint): identityEntryView(session, entry, hint: hint)
        case .typingActivation(let session, let userID, let tapsLetters, let hint):
            activationView(session, userID, tapsLetters: tapsLetters, hint: hint)
        case .working(let session, let work): workView(session, work)
        case .awaitingActivation(_, let identity, let hint, _):
            KioskView(
                .emailConfirmation, .ask, title: Prompt(.confirmationTitle),
                lines: [Prompt(.confirmationHelp, [.user: identity.name])], hint: hint,
                actions: [
                    ViewAction(.enter, .actionConfirmed), ViewAction(.digit(1), .actionResend),
                    ViewAction(.digit(2), .actionDelete), ViewAction(.back, .actionBack),
                ])
        case .choosingPIN(let session, let identity, let round, let typed, let hint):
            newPINView(session, identity, round, typed: typed, hint: hint)
        case .judgingPIN(let session, let identity, let round, let typed):
            newPINView(session, identity, round, typed: typed, hint: nil)
        case .enteringPIN(let session, let identity, let typed, let hint):
            pinView(session, identity, typed: typed, hint: hint)
        case .choosingDocument(_, _, let entry, let hint, let page): documentChoiceView(entry, hint: hint, page: page)
        case .reading(let session, _, let page, let hint): readingView(session, page: page, hint: hint)
        case .askingToSign(let session, let identity): signQuestionView(session, identity)
        case .authenticating(let session, let identity) where session.purpose == .signing:
            KioskView(
                .signing, .working,
                title: Prompt(session.registersKey(for: identity) ? .gettingSigningKey : .signing),
                lines: whoAndWhere(session, identity), isBusy: true)
        case .authenticating(let session, let identity):
            KioskView(
                .authenticating, .working, title: Prompt(.authenticating), lines: whoAndWhere(session, identity),
                isBusy: true)
        case .showingCode(let session, let identity, let timeLeft):
            issuedCodeView(session, identity, timeLeft: timeLeft)
        case .showingIdentity(let session, let identity, let isDeleteArmed):
            identityView(session, identity, isDeleteArmed: isDeleteArmed)
        case .coolingDown(let session, let identity):
            KioskView(
                .wrongPIN, .failure, title: Prompt(.wrongPIN),
                lines: whoAndWhere(session, identity) + [Prompt(.wrongPINWait)], hint: wrongPINWarning(session),
                isBusy: true,
                actions: [ViewAction(.back, .actionCancel)],
                countdown: KioskTiming.pause(afterWrongPINs: session.wrongPINs))
        case .concluding(let conclusion):
            KioskView(
                .outcome, conclusion.outcome.isSuccess ? .success : .failure, title: conclusion.message,
                lines: conclusion.facts + (conclusion.line.map { [$0] } ?? []),
                actions: [ViewAction(.enter, .actionContinue)]
                    + (conclusion.logout == nil ? [] : [ViewAction(.digit(1), .actionLogout)]),
                countdown: KioskTiming.display(of: conclusion.outcome))
        case .loggingOut: KioskView(.loggingOut, .working, title: Prompt(.loggingOut), isBusy: true)
        case .stopped: KioskView(.stopped, .trouble, title: Prompt(.stopped))
        }
    }

    private func scanView(notice: Prompt?) -> KioskView {
        guard isClockSet else {
            return KioskView(
                .scan, .trouble, title: Prompt(.waitingForTime), lines: [Prompt(.waitingForTimeHelp)], hint: notice,
                actions: [ViewAction(.digit(2), .actionLanguage)])
        }
        guard isCameraWorking else {
            return KioskView(
                .scan, .trouble, title: Prompt(.scanTitle), lines: [Prompt(.cameraMissing)], hint: notice,
                actions: scanActions)
        }
        guard isKeypadWorking else {
            return KioskView(.scan, .trouble, title: Prompt(.scanTitle), lines: [Prompt(.keypadMissing)], hint: notice)
        }
        return KioskView(
            .scan, .ready, title: Prompt(.scanTitle), lines: [Prompt(.scanHelp)],
            hint: notice ?? scanHint.map { Prompt($0.promptKey) }, actions: scanActions)
    }

    private var scanActions: [ViewAction] {
        // By digits, which every pad has; MENU and CLEAR do the same.
        let code = services.isEmpty ? [] : [ViewAction(.digit(0), .actionTypeCode)]
        let menu = errands.isEmpty ? [] : [ViewAction(.digit(1), .actionMenu)]
        return code + menu + [ViewAction(.digit(2), .actionLanguage)]
    }

    private func consentView(_ session: Session) -> KioskView {
        var lines = whereTo(session)
        if let details = session.details {
            if !details.application.isEmpty {
                lines.append(Prompt(.consentApplication, [.application: details.application.description]))
            }
            if !details.customer.isEmpty {
                lines.append(Prompt(.consentCustomer, [.customer: details.customer.description]))
            }
            if !details.namedUser.isEmpty {
                lines.append(Prompt(.consentUser, [.user: DisplayText(details.namedUser).description]))
            } else if session.identities.count == 1 {
                lines.append(Prompt(.consentUser, [.user: session.identities[0].name]))
            } else {
                lines.append(Prompt(.consentNobody))
            }
        }
        var actions = [ViewAction(.enter, .actionOK), ViewAction(.back, .actionNotMe)]
        if session.offersSomeoneElse { actions.append(ViewAction(.menu, .actionSomeoneElse)) }
        return KioskView(
            .consent, .ask, title: Prompt(session.purpose == .signing ? .consentSignTitle : .consentTitle),
            lines: lines, factCount: lines.count, actions: actions)
    }

    private func pinView(_ session: Session, _ identity: KioskIdentity, typed: Int, hint: Prompt?) -> KioskView {
        let facts = purpose(session, identity) + whoAndWhere(session, identity)
        let help = Prompt(
            identity.requiredPINLength == nil ? .pinHelp : .pinHelpExact, [.minimum: "\(identity.minimumPINLength)"])
        return KioskView(
            .pin, .ask, title: pinTitle(session, identity), lines: facts + [help],
            // An errand asks for no consent: here is where the person reads what the PIN is for.
            factCount: session.purpose == .login ? 0 : facts.count,
            hint: hint ?? wrongPINWarning(session), entry: .masked(count: typed, capacity: identity.pinCapacity),
            actions: pinActions,
            countdown: KioskTiming.entry)
    }

    private func workView(_ session: Session, _ work: Work) -> KioskView {
        let (stage, title): (KioskStage, Prompt) =
            switch work {
            case .startingRegistration(let userID), .startingVerification(let userID):
                (.registering, Prompt(.registering, [.user: DisplayText(userID).description]))
            case .restartingRegistration: (.registering, Prompt(.sendingMailAgain))
            case .confirmingRegistration, .finishingVerification: (.registering, Prompt(.checkingMail))
            case .finishingRegistration: (.registering, Prompt(.savingIdentity))
            case .startingAuthentication: (.authenticating, Prompt(.preparing))
            case .deletingIdentity: (.registering, Prompt(.deleting))
            case .readingSigner: (.signing, Prompt(.signing))
            case .finishingSigningKey: (.signing, Prompt(.savingSigningKey))
            case .preparingDocument: (.signing, Prompt(.checkingDocument))
            }
        return KioskView(stage, .working, title: title, lines: whereTo(session), isBusy: true)
    }

    /// What one more wrong PIN may cost. The server counts and does not say how far; three in a row is what the protocol's servers
    /// allow unless their operator changed it. The kiosk knows only of this session, so it says no more than "may".
    private func wrongPINWarning(_ session: Session) -> Prompt? {
        switch session.wrongPINs {
        case 0: nil
        case 1: Prompt(.wrongPINBlocks)
        default: Prompt(.wrongPINLast)
        }
    }

    private func newPINView(
        _ session: Session, _ identity: KioskIdentity, _ round: Round, typed: Int, hint: PromptKey?
    ) -> KioskView {
        let isForSigning = session.registersKey(for: identity)
        let title: PromptKey =
            switch round {
            case .first: isForSigning ? .newSigningPINTitle : .newPINTitle
            case .second: isForSigning ? .newSigningPINAgainTitle : .newPINAgainTitle
            }
        return KioskView(
            round == .first ? .newPIN : .newPINAgain, .ask, title: Prompt(title),
            lines: whoAndWhere(session, identity) + [
                Prompt(
                    identity.requiredPINLength == nil ? .newPINHelp : .newPINHelpExact,
                    [.minimum: "\(identity.minimumNewPINLength(policy))"])
            ],
            hint: hint.map { Prompt($0) }, entry: .masked(count: typed, capacity: identity.pinCapacity),
            actions: pinActions, countdown: KioskTiming.entry)
    }

    private var pinActions: [ViewAction] {
        [ViewAction(.enter, .actionOK), ViewAction(.clear, .actionClear), ViewAction(.back, .actionBack)]
    }

    /// The place where a PIN takes effect, and before whom it is asked for where that is another one. Only the latter
    /// can give itself a name.
    func whereTo(_ session: Session) -> [Prompt] {
        let name = session.service ?? DisplayText("")
        let backend = session.backend ?? session.domain
        return (name.isEmpty ? [] : [Prompt(.consentService, [.service: name.description])])
            + [Prompt(.consentDomain, [.domain: backend])]
            + (backend == session.domain ? [] : [Prompt(.consentOnBehalf, [.domain: session.domain])])
    }

    /// What a PIN is asked for, where that is not what people come for.
    private func purpose(_ session: Session, _ identity: KioskIdentity) -> [Prompt] {
        if session.purpose == .signing { return signingPINLines(session, identity) }
        return session.purpose.pinPurpose.map { [Prompt($0)] } ?? []
    }

    private func pinTitle(_ session: Session, _ identity: KioskIdentity) -> Prompt {
        // Whoever stands before one door must not open another one unawares.
        if let door = session.door { return Prompt(.doorPINTitle, [.name: door.description]) }
        return Prompt(session.purpose == .signing ? signingPINTitle(identity) : .pinTitle)
    }

    func whoAndWhere(_ session: Session, _ identity: KioskIdentity) -> [Prompt] {
        // Somebody who was picked is shown only enough to recognise himself: numbers and letters must not be a directory.
        let name = session.isPicked ? identity.maskedName : identity.name
        return [Prompt(.pinUser, [.user: name])] + whereTo(session)
    }
}
