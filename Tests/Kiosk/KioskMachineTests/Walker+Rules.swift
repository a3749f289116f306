// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts

@testable import Signage

// The rules for every action and view.
extension Walker {
    mutating func tell(_ event: String, _ actions: [KioskAction]) { obey(actions, after: event) }

    mutating func require(_ condition: Bool, _ rule: @autoclosure () -> String) {
        if !condition, broken == nil { broken = rule() }
    }

    mutating func obey(_ actions: [KioskAction], after event: String) {
        past.append((event, actions))
        view = machine.view
        screens.note(from: machineBefore, to: machine, showing: view)
        machineBefore = machine
        cardTaken = nil
        for action in actions { obey(action) }
        checkState()
    }

    mutating func obey(_ action: KioskAction) {
        switch action {
        case .openSession(let number, _):
            require(session == nil, "two sessions at once")
            require(number > lastSession, "session numbers do not grow")
            (session, lastSession) = (number, number)
            (task, hasConsented, serverWasTold, hasAborted) = (.login, false, false, false)
            isConfirmed = false
            (hasCard, cardIsKept, isRegistered) = (cardIsKept, false, false)
            (isScanned, isReadToTheEnd) = (true, false)
        case .openTask(let number, let task, let service):
            require(session == nil && number > lastSession, "a task in another session")
            require(service >= 0 && task != .login, "a task of another kind")
            require(tasks.contains(task), "a task that the menu has not")
            require(cardTaken == nil || cardTaken == task, "a card began something else")
            (session, lastSession) = (number, number)
            // Nothing was scanned, so no other person can have begun it, and no server knows of it.
            (self.task, hasConsented, serverWasTold, hasAborted) = (task, true, false, false)
            isConfirmed = false
            (hasCard, cardIsKept, isRegistered) = (cardIsKept, false, false)
            require(
                !hasCard || task != .registerWithCode && task != .verification, "a person with a card is a newcomer")
            (isScanned, isReadToTheEnd) = (false, false)
        case .closeSession(let number, let outcome):
            require(session == number, "a session ended twice, or before it began")
            require(stepUnderWay == nil, "a session ended with a step under way")
            session = nil
            old = 0
            codeIsTyped = false
            outcomes.append(outcome)
        case .keepCard:
            require(session == nil, "a card is taken in a session")
            cardIsKept = true
            cardFitsScreen = lastSession.value % 3 != 0
            machine.cardMeasured(fitsScreen: cardFitsScreen)
            view = machine.view
        case .dropCard:
            require(session == nil && cardIsKept, "a card is dropped that is not there")
            cardIsKept = false
        case .applyProfile(let handle):
            require(session == nil && !profileIsApplied, "a profile is put in place in a session, or twice")
            require(handle == Samples.handle, "a profile is put in place that no person was asked about")
            profileIsApplied = true
        case .adoptProfile: isSetUp = true
        case .reset: isResetting = true
        case .restart: break
        case .perform(let step, let number): begin(step, number)
        case .cancelStep(let number):
            require((session ?? lastSession) == number && stepUnderWay != nil, "nothing to cancel")
            stepUnderWay = nil
        case .abort(let number):
            require(
                session == number && isScanned && serverWasTold && !hasAborted, "an abort that nobody asked for")
            hasAborted = true
        case .deleteIdentity, .forgetShares: require(session != nil && hasConsented, "an identity touched unasked")
        case .entry(let entryAction): obey(entryAction)
        case .code(.wipe): codeIsTyped = false
        case .code(.takeScanned):
            require(session != nil, "a code of nobody is kept")
            codeIsTyped = true
        case .code(.submit): codeIsSubmitted = true
        case .code(.acceptTap): require(machine.typesCode, "a tap of no code")
        case .startTimer(.tap, _, .none): require(machine.typesCode, "a tap of no text")
        case .startTimer(.view, _, let number), .startTimer(.usedCode, _, let number),
            .startTimer(.notice, _, let number), .startTimer(.typing, _, let number),
            .startTimer(.rest, _, let number), .startTimer(.boot, _, let number):
            require(number == .none, "a timer of no session with a number")
        case .startTimer(.outcome, _, let number):
            require(session == nil && number == lastSession, "an outcome is shown while a session runs")
        case .startTimer(_, let duration, let number):
            require(session == number && duration > .zero, "a timer of another session")
        case .stopTimer, .refused: break
        case .unexpectedAnswer: require(false, "an answer that fits was not taken")
        case .cardTaken(let task):
            require(session == nil && tasks.contains(task), "a card began what the menu has not")
            cardTaken = task
            tasksOfCards.insert(task)
        case .restCamera:
            require(session == nil && !mayRest, "a camera rests twice, or while a person is served")
            mayRest = true
        case .wakeCamera:
            require(mayRest, "a camera is woken that does not rest")
            mayRest = false
        case .pauseCamera:
            require(!isPaused, "paused twice")
            isPaused = true
        case .resumeCamera:
            require(isPaused, "resumed twice")
            isPaused = false
        case .consented(let number):
            require(session == number && isScanned && !hasConsented, "consented twice")
            hasConsented = true
        case .unverifiedWrongPIN(let number), .unverifiedHeldUp(let number):
            require(session == number && !hasCard, "a person with a card is held up")
        case .registrationHeldUp(let number): require(session == number && hasConsented, "a registration of nobody")
        case .consentRefused(let number): require(session == number && !hasConsented, "refused too late")
        }
    }

    mutating func begin(_ step: KioskStep, _ number: SessionNumber) {
        require(stepUnderWay == nil, "two steps at once")
        stepUnderWay = step
        if case .logout = step { return require(session == nil && number == lastSession, "a logout during a session") }
        require(session == number, "a step without its session")
        switch step {
        case .readService: require(!serverWasTold, "the service is asked twice")
        case .openBackend: serverWasTold = true
        case .finishAuthentication(_, .changePIN):
            require(task == .changePIN && entered == 0 && putAside >= 4 && old >= 4, "a PIN changed without both")
            require(!hasCard || cardFitsScreen, "a PIN changed of a card that cannot be shown")
            (putAside, old) = (0, 0)
        case .finishAuthentication(_, let purpose):
            require(purpose == task, "a login for something else")
            takePIN("a login without consent or PIN")
        case .finishRegistration:
            require(hasConsented && entered == 0 && putAside >= 4, "a registration without consent or PIN")
            putAside = 0
        case .startSigningKey:
            takePIN("a key for signing without consent or PIN")
        case .sign(_, let hash):
            takePIN("a signature without consent or PIN")
            require(isReadToTheEnd && hash == Samples.hash, "signed unread")
        case .finishSigningKey:
            require(hasConsented && entered == 0 && putAside >= 4, "a key for signing without consent or PIN")
            putAside = 0
        case .prepareDocument: require(hasConsented && isReadToTheEnd, "\(step) unread")
        case .logout: break
        case .deleteIdentity(let identity):
            require(task == .identities && !hasCard, "an identity deleted unasked")
            require(
                identity.progress != .registered && !identity.isHeld || isConfirmed,
                "an identity deleted without its PIN")
        case .writeCard:
            require(!hasCard || cardFitsScreen, "a card made that cannot be shown")
            require(isConfirmed || isRegistered || task == .changePIN && hasCard, "a card without the person's PIN")
        case .startVerification, .finishVerification, .startRegistrationWithCode:
            let takesCode = task == .registerWithCode || task == .verification || verifiesAddresses
            require(
                takesCode && hasConsented && !hasCard, "\(step) without a code or consent, or of a person with a card")
        case .renewRegistration:
            require(hasConsented && !hasCard, "\(step) before consent, or of a person with a card")
        case .startRegistration:
            require(hasConsented && !hasCard && !verifiesAddresses, "\(step) before consent, or where a code is taken")
        case .restartRegistration, .confirmRegistration:
            require(hasConsented && !hasCard, "\(step) before consent, or of a person with a card")
        case .startAuthentication, .readSigner: require(hasConsented, "\(step) before consent")
        }
    }

    /// Takes the typed PIN for a step.
    private mutating func takePIN(_ complaint: String) {
        require(hasConsented && complete >= 4 && entered == 0 && putAside == 0, complaint)
        complete = 0
    }

    mutating func obey(_ action: EntryAction) {
        switch action {
        case .append: entered += 1
        case .removeLast: entered -= 1
        case .clear: entered = 0
        case .wipe: (entered, complete, putAside) = (0, 0, 0)
        case .complete:
            require(hasConsented && entered >= 4 && complete == 0, "a PIN complete that is none")
            (complete, entered) = (entered, 0)
        case .keepOld:
            require(task == .changePIN && hasConsented && entered >= 4, "an old PIN where none is changed")
            (old, entered) = (entered, 0)
        case .checkNew:
            require(putAside == 0, "a first PIN over another")
            (putAside, entered, question) = (entered, 0, action)
        case .compareNew:
            require(putAside > 0, "nothing to compare with")
            (entered, question) = (0, action)
        }
        require((0...6).contains(entered), "more or fewer digits than fit")
    }

    mutating func checkState() {
        let view = view
        require(machine.session == session, "the machine's session is another one")
        let isTypingCode = [.menu, .serviceChoice, .codeEntry, .card].contains(view.stage)
        require(!cardIsKept || isTypingCode, "a card outlived its screens")
        require(
            !hasCard || session == nil || ![.identityChoice, .identityEntry].contains(view.stage),
            "a person with a card is asked who it is")
        let isAsked = [.setupQuestion, .resetQuestion, .resetting].contains(view.stage)
        if view.stage != .resetting { isResetting = false }
        let isLeft = view.stage == .settingUp && machine.isIdle
        require(!isLeft || view.tone == .success && !profileIsApplied, "a profile passes for read too early")
        let isBusy =
            isAsked || view.stage == .settingUp && !isLeft || isTypingCode || view.stage == .outcome
            || view.stage == .loggingOut
        require(machine.isIdle == (session == nil && !isBusy), "idle or not")
        require(machine.typesCode || !codeIsTyped || session != nil, "a typed code outlived its screen")
        if !machine.typesCode { codeIsSubmitted = false }
        require(view.restStep == nil || view.stage == .scan, "\(view.stage) is dim")
        require(!view.stage.asksForPIN || (hasConsented && session != nil), "a PIN is asked before consent")
        if session == nil { question = nil }
        if view.stage == .documentChoice { isReadToTheEnd = false }
        if view.document?.isLast == true { isReadToTheEnd = true }
        if machine.typesPIN {
            // The identity determines the number of digits.
            if case .masked(entered, 4...6) = view.entry {
            } else {
                require(view.title == Prompt(.keypadMissing), "the dots are not the digits")
            }
            require((putAside > 0) == (view.stage == .newPINAgain), "a first PIN where none belongs")
        } else if question == nil {
            require(entered == 0 && complete == 0 && putAside == 0, "digits outside of an entry at \(view.stage)")
        }
        // At first a wait keeps the previous view.
        let looks =
            isTypingCode || [.scan, .setup, .connecting, .stopped].contains(view.stage) || machine.readsText
            || machine.readsDocument
            || machine.readsActivation
        require(looks || isPaused, "the camera films \(view.stage)")
        require(view.stage == .stopped || !looks || !isPaused, "the camera sleeps at \(view.stage)")
        let tones: [Tone] =
            switch view.stage {
            case .firstRun, .stopped: [.trouble]
            case .scan, .setup: [.ready, .trouble]
            case .setupQuestion, .resetQuestion: [.ask]
            case .settingUp, .resetting: [.working, .success]
            case .connecting, .registering, .authenticating, .signing: [.working]
            case .documentChoice, .document, .signQuestion: [.ask]
            case .menu, .serviceChoice, .codeEntry: [.ask]
            case .issuedCode, .issuedCard: [.success]
            case .card, .cardOffer: [.ask]
            case .identityDetails, .activationEntry: [.ask]
            case .loggingOut: [.working]
            case .consent, .identityChoice, .identityEntry, .emailConfirmation, .newPIN, .newPINAgain, .pin: [.ask]
            case .wrongPIN: [.failure]
            case .outcome:
                switch view.title.key {
                case .loggedOut: [.success]
                case .logoutFailed: [.failure]
                case .declined, .signingDeclined, .taskLeft: [.ready]
                case _ where outcomes.last == .declined: [.ready]
                default: [outcomes.last?.isSuccess == true ? .success : .failure]
                }
            }
        require(tones.contains(view.tone), "tone \(view.tone) at \(view.stage)")
        // Expensive to check, and mostly the same few sentences.
        guard past.count % 8 == 0 else { return }
        for prompt in [view.title] + view.lines + [view.hint].compactMap(\.self) {
            require(Set(prompt.values.keys.map(\.rawValue)) == Self.gaps[prompt.key], "gaps of \(prompt.key)")
        }
    }

    private static let gaps = Dictionary(
        uniqueKeysWithValues: PromptKey.allCases.map { key in
            (key, Set(PromptCatalogue.english.template(key).matches(of: /\{(.*?)\}/).map { String($0.output.1) }))
        })
}
