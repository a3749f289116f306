// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import SeededRandomness

/// Feeds a machine with random events and checks each action against the rules of the flow.
struct Walker {
    private var machine: KioskMachine
    private var machineBefore: KioskMachine
    /// Where the walk came by.
    private(set) var screens = ScreenTable()
    private var past: [(event: String, actions: [KioskAction])] = []
    private(set) var broken: String?
    private(set) var outcomes: [SessionOutcome] = []
    /// What cards began.
    private(set) var errandsOfCards: Set<Errand> = []

    // The model.
    private var session: SessionNumber?
    private var lastSession = SessionNumber.none
    private let hasServices: Bool
    private let errands: [Errand]
    private let places: [String]
    /// What a card began, until the session is open or the person goes on choosing.
    private var cardTaken: Errand?
    private var errand = Errand.login
    private var hasConsented = false
    private var isConfirmed = false
    private var serverWasTold = false
    private var hasAborted = false
    private var stepUnderWay: KioskStep?
    private var entered = 0
    private var putAside = 0
    /// The digits of the PIN that a new one shall take the place of.
    private var old = 0
    private var question: EntryAction?
    private var isPaused = false
    private var mayRest = false
    private var codeIsTyped = false
    private var codeIsSubmitted = false
    private var isScanned = false
    /// Whether there is nothing more to read of what may be signed.
    private var isReadToTheEnd = false

    /// What happened so far, to be read when a rule is broken.
    var history: String {
        past.map { $0.actions.isEmpty ? $0.event : "\($0.event) -> \($0.actions)" }.joined(separator: "\n")
    }

    init(
        trusts: Bool, services: [String] = [], doors: [DoorPlace] = [], errands: [Errand] = [],
        policy: KioskPolicy = KioskPolicy()
    ) {
        machine = KioskMachine(
            trustsAnything: trusts, services: services, doors: doors, errands: errands,
            templates: Samples.templates, policy: policy)
        machineBefore = machine
        hasServices = !services.isEmpty
        self.errands = errands
        places = services + doors.map(\.name)
        obey(machine.start(), after: "start")
    }

    mutating func stop() {
        obey(machine.stop(), after: "stop")
        require(session == nil, "a session outlived the kiosk")
        require(entered == 0 && putAside == 0, "digits outlived the kiosk")
    }

    mutating func step(using generator: inout SplitMix64) {
        // Mostly what brings a session on, so that the walk gets somewhere; the rest is anything.
        if Int.random(in: 0..<10, using: &generator) < 7 {
            helpfulEvent(using: &generator)
        } else {
            anyEvent(using: &generator)
        }
    }

    private mutating func helpfulEvent(using generator: inout SplitMix64) {
        if question != nil { return answerQuestion(isBad: Int.random(in: 0..<4, using: &generator) == 0) }
        if codeIsSubmitted { return answerCode(using: &generator) }
        if stepUnderWay != nil {
            return answerStep(isFailure: Int.random(in: 0..<6, using: &generator) == 0, &generator)
        }
        switch machine.view.stage {
        case .firstRun, .stopped: anyEvent(using: &generator)
        case .scan:
            if Int.random(in: 0..<3, using: &generator) == 0 {
                tell("menu", machine.keyPressed(.menu))
            } else {
                see(using: &generator)
            }
        case .menu: tell("entry", machine.keyPressed(.digit(UInt8.random(in: 1...9, using: &generator))))
        case .activationEntry:
            if codeIsTyped { tell("enter", machine.keyPressed(.enter)) } else { typeCode() }
        case .identityDetails: tell("delete", machine.keyPressed(.digit(2)))
        case .issuedCode: tell("time", machine.timerFired(.codeLife, session: session ?? .none))
        case .serviceChoice:
            if machine.view.entry == .text("") {
                tell("number", machine.keyPressed(.digit(UInt8.random(in: 1...3, using: &generator))))
            } else {
                tell("enter", machine.keyPressed(.enter))
            }
        case .codeEntry:
            if codeIsTyped { tell("enter", machine.keyPressed(.enter)) } else { typeCode() }
        case .outcome where machine.view.actions.count > 1: tell("logout", machine.keyPressed(.digit(1)))
        case .consent, .emailConfirmation, .outcome: tell("enter", machine.keyPressed(.enter))
        case .identityChoice:
            if machine.view.entry == .text("") {
                tell("number", machine.keyPressed(.digit(UInt8.random(in: 0...3, using: &generator))))
            } else {
                tell("enter", machine.keyPressed(.enter))
            }
        case .identityEntry:
            if machine.view.entry == .text("") {
                for character in "dave@example.com" { tell("letter", machine.keyPressed(.character(character))) }
            } else {
                tell("enter", machine.keyPressed(.enter))
            }
        case .newPIN, .newPINAgain, .pin:
            if entered < 4 {
                for _ in 0..<4 { tell("PIN digit", machine.keyPressed(.pinDigit)) }
            } else {
                tell("enter", machine.keyPressed(.enter))
            }
        case .wrongPIN: tell("pause over", machine.timerFired(.wrongPIN, session: session ?? .none))
        case .documentChoice:
            if machine.view.entry == .text("") {
                tell("number", machine.keyPressed(.digit(UInt8.random(in: 1...3, using: &generator))))
            } else {
                tell("enter", machine.keyPressed(.enter))
            }
        case .document, .signQuestion: tell("enter", machine.keyPressed(.enter))
        case .connecting, .registering, .authenticating, .loggingOut, .signing: anyEvent(using: &generator)
        }
    }

    private mutating func anyEvent(using generator: inout SplitMix64) {
        switch Int.random(in: 0..<23, using: &generator) {
        case 0: tell("enter", machine.keyPressed(.enter))
        case 1: tell("back", machine.keyPressed(.back))
        case 2: tell("clear", machine.keyPressed(.clear))
        case 3: tell("menu", machine.keyPressed(.menu))
        case 4: tell("digit", machine.keyPressed(.digit(UInt8.random(in: 0...9, using: &generator))))
        case 5, 6: tell("PIN digit", machine.keyPressed(.pinDigit))
        case 7: tell("burst", machine.keysLost())
        case 8: tell("letter", machine.keyPressed(.character("x")))
        case 9, 10: see(using: &generator)
        case 11:
            let timers: [KioskTimer] = [.session, .entry, .wrongPIN, .outcome, .wait, .wait, .tap, .codeLife]
            // The outcome's timer carries the number of the session that ended.
            tell("timer", machine.timerFired(timers.randomElement(using: &generator) ?? .session, session: lastSession))
        case 12: tell("left view", machine.timerFired(.view(Walker.code(using: &generator)), session: .none))
        case 13: tell("forgotten", machine.timerFired(.usedCode(Walker.code(using: &generator)), session: .none))
        case 14: tell("notice over", machine.timerFired(.notice, session: .none))
        case 15: machine.cameraChanged(isWorking: Bool.random(using: &generator))
        case 16, 17: stale(using: &generator)
        case 18:
            let timer = [KioskTimer.typing, .tap, .rest].randomElement(using: &generator) ?? .rest
            tell("\(timer)", machine.timerFired(timer, session: .none))
        case 19:
            if machine.typesCode { typeCode() }
        case 20: tell("keypad", machine.keypadChanged(isWorking: Bool.random(using: &generator)))
        case 21:
            if stepUnderWay != nil { answerStep(isFailure: true, &generator) }
        default:
            if question != nil { answerQuestion(isBad: true) }
        }
    }

    private static func code(using generator: inout SplitMix64) -> CodeDigest {
        Samples.digest("code \(Int.random(in: 0...3, using: &generator))")
    }

    private mutating func see(using generator: inout SplitMix64) {
        let verdict: CodeReading.Verdict =
            Int.random(in: 0..<6, using: &generator) == 0
            ? .refused(.notALogin(.noAccessCode)) : .login(domain: Samples.domain)
        let card: ErrandCard? =
            switch verdict {
            case .login: nil
            case .refused: card(using: &generator)
            }
        let address = Bool.random(using: &generator) ? EmailAddress("qr@example.com") : nil
        let document: Result<DocumentText, DocumentTextError>? =
            switch verdict {
            case .login: nil
            case .refused: Bool.random(using: &generator) ? .success(Samples.templates[1].text) : .failure(.notUTF8)
            }
        // The interpreter looks for it only where the machine wants to know.
        let activations: [ActivationReading?] = [
            nil, .code, .link(userID: "dave@example.com", service: hasServices ? 0 : nil),
            .link(userID: "alice@example.com", service: hasServices ? 0 : nil),
            .link(userID: "eve@example.com", service: nil),
        ]
        let activation = machine.readsActivation ? activations.randomElement(using: &generator) ?? nil : nil
        tell(
            "code",
            machine.symbolSeen(
                CodeReading(
                    digest: Walker.code(using: &generator), verdict: verdict, card: card, address: address,
                    activation: activation, document: document)))
    }

    /// Half of all codes that are no login code, of any errand, for a place that is there and one that is not.
    private func card(using generator: inout SplitMix64) -> ErrandCard? {
        guard Bool.random(using: &generator), let errand = Errand.allCases.randomElement(using: &generator) else {
            return nil
        }
        let place = (places + ["elsewhere"]).randomElement(using: &generator)
        return ErrandCard(errand, at: Bool.random(using: &generator) ? place : nil)
    }

    private mutating func typeCode() {
        codeIsTyped = true
        tell("code key", machine.keyPressed(.codeKey))
    }

    private mutating func answerCode(using generator: inout SplitMix64) {
        codeIsSubmitted = false
        let isWrong = Int.random(in: 0..<4, using: &generator) == 0
        let reading = CodeReading(digest: Walker.code(using: &generator), verdict: .login(domain: Samples.domain))
        tell("code typed", machine.codeTyped(isWrong ? nil : reading))
    }

    /// Answers of a session that is over, which must change nothing.
    private mutating func stale(using generator: inout SplitMix64) {
        let before = machine.view
        let isOver = session == nil && stepUnderWay == nil
        let old = SessionNumber(lastSession.value + (isOver ? 0 : 1_000))
        let actions =
            switch Int.random(in: 0..<18, using: &generator) {
            case 0: machine.stepEnded(.success(.serviceFound(Samples.service)), session: old)
            case 1: machine.stepEnded(.success(.backendOpened(BackendSession())), session: old)
            case 2: machine.stepEnded(.success(.registrationStarted(Samples.alice)), session: old)
            case 3: machine.stepEnded(.success(.registrationConfirmed), session: old)
            case 4: machine.stepEnded(.success(.registrationFinished(Samples.alice)), session: old)
            case 5: machine.stepEnded(.success(.authenticationStarted), session: old)
            case 6: machine.stepEnded(.success(.authenticated()), session: old)
            case 7: machine.stepEnded(.success(.codeIssued(lifetime: .seconds(60))), session: old)
            case 8: machine.stepEnded(.success(.identityConfirmed), session: old)
            case 9: machine.stepEnded(.success(.identityDeleted), session: old)
            case 10: machine.stepEnded(.success(.loggedOut), session: old)
            case 11: machine.stepEnded(.success(.verificationStarted), session: old)
            case 12: machine.stepEnded(.success(.verified), session: old)
            case 13: machine.stepEnded(.success(.signerRead(Samples.alice)), session: old)
            case 14: machine.stepEnded(.success(.documentPrepared(Samples.hash)), session: old)
            case 15: machine.stepEnded(.success(.signed), session: old)
            case 16: machine.stepEnded(.success(.doorOpened), session: old)
            default: machine.stepEnded(.failure(Samples.failure(.unreachable)), session: old)
            }
        require(actions.isEmpty && machine.view == before, "an old session's answer did something")
    }

    private mutating func answerQuestion(isBad: Bool) {
        let question = question
        self.question = nil
        if question == .judgeNew {
            tell("judged", machine.newPINJudged(isBad ? .allZeros : putAside == 4 ? .easyToGuess : .good))
        } else {
            tell("compared", machine.newPINsCompared(areEqual: !isBad))
        }
    }

    private mutating func answerStep(isFailure: Bool, _ generator: inout SplitMix64) {
        guard let step = stepUnderWay else { return }
        // The browser is logged out when the session is over.
        let session = session ?? lastSession
        stepUnderWay = nil
        if isFailure {
            // A wrong PIN more often than the others: what follows is a way of its own.
            let isWrongPIN = Int.random(in: 0..<4, using: &generator) == 0
            let reason =
                isWrongPIN ? .wrongPIN : KioskFailure.Reason.allCases.randomElement(using: &generator) ?? .other
            let failure = Samples.failure(reason, passTwoWasSent: Bool.random(using: &generator))
            return tell(reason.rawValue, machine.stepEnded(.failure(failure), session: session))
        }
        let people = [Samples.alice, Samples.bob]
        let started: KioskIdentity.Progress = Bool.random(using: &generator) ? .startedRegistration : .activated
        switch step {
        case .readService:
            tell("service", machine.stepEnded(.success(.serviceFound(Samples.service)), session: session))
        case .openBackend:
            let details = BackendSession(
                namedUser: ["", "", "alice@example.com", "eve@example.com"].randomElement(using: &generator) ?? "",
                signing: isScanned && Int.random(in: 0..<3, using: &generator) == 0 ? signingRequest(&generator) : nil,
                identities: [
                    people, [Samples.alice], [], [Samples.identity(.blocked)], [Samples.identity(started)],
                    [Samples.identity(.unusable)],
                ].randomElement(using: &generator) ?? [])
            tell("backend", machine.stepEnded(.success(.backendOpened(details)), session: session))
        case .startRegistration(let userID):
            let identity = KioskIdentity(userID: userID, backend: "b", number: 3, progress: started)
            tell("started", machine.stepEnded(.success(.registrationStarted(identity)), session: session))
        case .restartRegistration(var identity):
            identity.progress = started
            tell("restarted", machine.stepEnded(.success(.registrationStarted(identity)), session: session))
        case .confirmRegistration:
            tell("confirmed", machine.stepEnded(.success(.registrationConfirmed), session: session))
        case .finishRegistration(var identity):
            identity.progress = .registered
            tell("registered", machine.stepEnded(.success(.registrationFinished(identity)), session: session))
        case .startAuthentication:
            tell("permitted", machine.stepEnded(.success(.authenticationStarted), session: session))
        case .finishAuthentication(_, .login):
            let canLogout = Bool.random(using: &generator)
            tell("authenticated", machine.stepEnded(.success(.authenticated(canLogout: canLogout)), session: session))
        case .finishAuthentication(_, .identities):
            isConfirmed = true
            tell("confirmed", machine.stepEnded(.success(.identityConfirmed), session: session))
        case .startVerification: tell("mail sent", machine.stepEnded(.success(.verificationStarted), session: session))
        case .finishVerification: tell("verified", machine.stepEnded(.success(.verified), session: session))
        case .startRegistrationWithCode(let userID):
            let identity = KioskIdentity(userID: userID, backend: "b", number: 3, progress: started)
            tell("started", machine.stepEnded(.success(.registrationStarted(identity)), session: session))
        case .changePIN: tell("changed", machine.stepEnded(.success(.pinChanged), session: session))
        case .deleteIdentity: tell("deleted", machine.stepEnded(.success(.identityDeleted), session: session))
        case .logout: tell("logged out", machine.stepEnded(.success(.loggedOut), session: session))
        case .finishAuthentication(_, .localLogin):
            tell("door", machine.stepEnded(.success(.doorOpened), session: session))
        case .finishAuthentication:
            let lifetime = Duration.seconds(Int64.random(in: -1...400, using: &generator))
            tell("issued", machine.stepEnded(.success(.codeIssued(lifetime: lifetime)), session: session))
        case .readSigner(var identity):
            identity.progress = .registered
            identity.signing =
                [.none, .needsKey, .withPIN, .withOwnPIN(length: 4)].randomElement(using: &generator) ?? .none
            tell("signer", machine.stepEnded(.success(.signerRead(identity)), session: session))
        case .startSigningKey: tell("key", machine.stepEnded(.success(.signingKeyStarted), session: session))
        case .finishSigningKey(var identity):
            identity.signing = .withOwnPIN(length: 4)
            tell("key kept", machine.stepEnded(.success(.signingKeyFinished(identity)), session: session))
        case .prepareDocument:
            tell("hash", machine.stepEnded(.success(.documentPrepared(Samples.hash)), session: session))
        case .sign: tell("signed", machine.stepEnded(.success(.signed), session: session))
        }
    }

    private mutating func signingRequest(_ generator: inout SplitMix64) -> SigningRequest {
        let description = Samples.templates.map(\.text).randomElement(using: &generator)
        let request = SigningRequest(
            description: Bool.random(using: &generator) ? description : nil, hash: Samples.hash,
            isSigned: Int.random(in: 0..<8, using: &generator) == 0)
        errand = .signing
        isReadToTheEnd = request.description == nil
        return request
    }

    private mutating func tell(_ event: String, _ actions: [KioskAction]) { obey(actions, after: event) }

    private mutating func require(_ condition: Bool, _ rule: @autoclosure () -> String) {
        if !condition, broken == nil { broken = rule() }
    }

    private mutating func obey(_ actions: [KioskAction], after event: String) {
        past.append((event, actions))
        screens.note(from: machineBefore, to: machine)
        machineBefore = machine
        cardTaken = nil
        for action in actions { obey(action) }
        checkState()
    }

    private mutating func obey(_ action: KioskAction) {
        switch action {
        case .openSession(let number):
            require(session == nil, "two sessions at once")
            require(number > lastSession, "session numbers do not grow")
            (session, lastSession) = (number, number)
            (errand, hasConsented, serverWasTold, hasAborted) = (.login, false, false, false)
            isConfirmed = false
            (isScanned, isReadToTheEnd) = (true, false)
        case .openErrand(let number, let errand, let service):
            require(session == nil && number > lastSession, "an errand in another session")
            require(service >= 0 && errand != .login, "an errand of another kind")
            require(errands.contains(errand), "an errand that the menu has not")
            require(cardTaken == nil || cardTaken == errand, "a card began something else")
            (session, lastSession) = (number, number)
            // Nothing was scanned, so nobody else can have begun it, and no server knows of it.
            (self.errand, hasConsented, serverWasTold, hasAborted) = (errand, true, false, false)
            isConfirmed = false
            (isScanned, isReadToTheEnd) = (false, false)
        case .closeSession(let number, let outcome):
            require(session == number, "a session ended twice, or before it began")
            require(stepUnderWay == nil, "a session ended with a step under way")
            session = nil
            old = 0
            codeIsTyped = false
            outcomes.append(outcome)
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
            .startTimer(.rest, _, let number):
            require(number == .none, "a timer of no session with a number")
        case .startTimer(.outcome, _, let number):
            require(session == nil && number == lastSession, "an outcome is shown while a session runs")
        case .startTimer(_, let duration, let number):
            require(session == number && duration > .zero, "a timer of another session")
        case .stopTimer, .refused: break
        case .unexpectedAnswer: require(false, "an answer that fits was not taken")
        case .cardTaken(let errand):
            require(session == nil && errands.contains(errand), "a card began what the menu has not")
            cardTaken = errand
            errandsOfCards.insert(errand)
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
        case .consentRefused(let number): require(session == number && !hasConsented, "refused too late")
        }
    }

    private mutating func begin(_ step: KioskStep, _ number: SessionNumber) {
        require(stepUnderWay == nil, "two steps at once")
        stepUnderWay = step
        if case .logout = step { return require(session == nil && number == lastSession, "a logout during a session") }
        require(session == number, "a step without its session")
        switch step {
        case .readService: require(!serverWasTold, "the service is asked twice")
        case .openBackend: serverWasTold = true
        case .finishAuthentication(_, let purpose):
            require(purpose == errand, "a login for something else")
            require(hasConsented && entered >= 4 && putAside == 0, "a login without consent or PIN")
            entered = 0
        case .finishRegistration:
            require(hasConsented && entered == 0 && putAside >= 4, "a registration without consent or PIN")
            putAside = 0
        case .startSigningKey:
            require(hasConsented && entered >= 4 && putAside == 0, "a key for signing without consent or PIN")
            entered = 0
        case .sign(_, let hash):
            require(hasConsented && entered >= 4 && putAside == 0, "a signature without consent or PIN")
            require(isReadToTheEnd && hash == Samples.hash, "signed unread")
            entered = 0
        case .finishSigningKey:
            require(hasConsented && entered == 0 && putAside >= 4, "a key for signing without consent or PIN")
            putAside = 0
        case .changePIN:
            require(errand == .changePIN && entered == 0 && putAside >= 4 && old >= 4, "a PIN changed without both")
            (putAside, old) = (0, 0)
        case .prepareDocument: require(hasConsented && isReadToTheEnd, "\(step) unread")
        case .logout: break
        case .deleteIdentity(let identity):
            require(errand == .identities, "an identity deleted unasked")
            require(identity.progress != .registered || isConfirmed, "an identity deleted without its PIN")
        case .startVerification, .finishVerification, .startRegistrationWithCode:
            require(errand == .enrolment || errand == .verification, "\(step) without a code")
        case .startRegistration, .restartRegistration, .confirmRegistration, .startAuthentication, .readSigner:
            require(hasConsented, "\(step) before consent")
        }
    }

    private mutating func obey(_ action: EntryAction) {
        switch action {
        case .append: entered += 1
        case .removeLast: entered -= 1
        case .clear: entered = 0
        case .wipe: (entered, putAside) = (0, 0)
        case .keepOld:
            require(errand == .changePIN && hasConsented && entered >= 4, "an old PIN where none is changed")
            (old, entered) = (entered, 0)
        case .judgeNew:
            require(putAside == 0, "a first PIN over another")
            (putAside, entered, question) = (entered, 0, action)
        case .compareNew:
            require(putAside > 0, "nothing to compare with")
            (entered, question) = (0, action)
        }
        require((0...6).contains(entered), "more or fewer digits than fit")
    }

    private mutating func checkState() {
        let view = machine.view
        require(machine.session == session, "the machine's session is another one")
        let isTypingCode = [.menu, .serviceChoice, .codeEntry].contains(view.stage)
        let isBusy = isTypingCode || view.stage == .outcome || view.stage == .loggingOut
        require(machine.isIdle == (session == nil && !isBusy), "idle or not")
        require(machine.typesCode || !codeIsTyped || session != nil, "a typed code outlived its screen")
        if !machine.typesCode { codeIsSubmitted = false }
        require(view.restStep == nil || view.stage == .scan, "\(view.stage) is dim")
        require(!view.stage.asksForPIN || (hasConsented && session != nil), "a PIN is asked before consent")
        if session == nil { question = nil }
        if view.stage == .documentChoice { isReadToTheEnd = false }
        if view.document?.isLast == true { isReadToTheEnd = true }
        if machine.typesPIN {
            // How many there may be is the identity's business.
            if case .masked(entered, 4...6) = view.entry {} else { require(false, "the dots are not the digits") }
            require((putAside > 0) == (view.stage == .newPINAgain), "a first PIN where none belongs")
        } else if question == nil {
            require(entered == 0 && putAside == 0, "digits outside of an entry at \(view.stage)")
        }
        // In its first moment a wait shows what was there before it.
        let looks =
            isTypingCode || [.scan, .connecting, .stopped].contains(view.stage) || machine.readsText
            || machine.readsDocument
            || machine.readsActivation
        require(looks || isPaused, "the camera films \(view.stage)")
        require(view.stage == .stopped || !looks || !isPaused, "the camera sleeps at \(view.stage)")
        let tones: [Tone] =
            switch view.stage {
            case .firstRun, .stopped: [.trouble]
            case .scan: [.ready, .trouble]
            case .connecting, .registering, .authenticating, .signing: [.working]
            case .documentChoice, .document, .signQuestion: [.ask]
            case .menu, .serviceChoice, .codeEntry: [.ask]
            case .issuedCode: [.success]
            case .identityDetails, .activationEntry: [.ask]
            case .loggingOut: [.working]
            case .consent, .identityChoice, .identityEntry, .emailConfirmation, .newPIN, .newPINAgain, .pin: [.ask]
            case .wrongPIN: [.failure]
            case .outcome:
                switch view.title.key {
                case .loggedOut: [.success]
                case .logoutFailed: [.failure]
                default: [outcomes.last?.isSuccess == true ? .success : .failure]
                }
            }
        require(tones.contains(view.tone), "tone \(view.tone) at \(view.stage)")
        // Dear to look at, and the same few sentences again and again.
        guard past.count % 8 == 0 else { return }
        for prompt in [view.title] + view.lines + [view.hint].compactMap(\.self) {
            require(Set(prompt.values.keys) == prompt.key.placeholders, "gaps of \(prompt.key)")
        }
    }
}
