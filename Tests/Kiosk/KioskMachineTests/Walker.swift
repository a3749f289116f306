// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Patience

/// Feeds a machine with random events and checks each action against the rules of the flow.
struct Walker {
    var machine: KioskMachine
    var machineBefore: KioskMachine
    /// The view after the last event. Computing it takes longer than anything else of a walk.
    var view: KioskView
    /// The screens of the walk.
    var screens = ScreenTable()
    var past: [(event: String, actions: [KioskAction])] = []
    var broken: String?
    var outcomes: [SessionOutcome] = []
    /// The tasks that cards began.
    var tasksOfCards: Set<KioskTask> = []

    // The model.
    var session: SessionNumber?
    var lastSession = SessionNumber.none
    let hasServices: Bool
    let tasks: [KioskTask]
    let places: [String]
    /// The task of a card, until the session is open or the person chooses further.
    var cardTaken: KioskTask?
    var task = KioskTask.login
    var hasConsented = false
    var isConfirmed = false
    var serverWasTold = false
    var hasAborted = false
    var stepUnderWay: KioskStep?
    var entered = 0
    /// The PIN for the next step.
    var complete = 0
    var putAside = 0
    /// The digits of the PIN that is being changed.
    var old = 0
    var question: EntryAction?
    var isPaused = false
    var mayRest = false
    var codeIsTyped = false
    var codeIsSubmitted = false
    var isScanned = false
    /// Whether a personal card is kept for the next session, and whether the session has one.
    var cardIsKept = false
    var hasCard = false
    /// Whether another card of the last one's size fits the screen.
    var cardFitsScreen = true
    var isRegistered = false
    /// Whether backends register people with a mailed code.
    let verifiesAddresses: Bool
    /// Whether a profile is stored, being applied, or counts as soon as the settings are read.
    var profileIsApplied = false
    var isSetUp = false
    let services: [String]
    let policy: KioskPolicy
    var isResetting = false
    static let resetKeys: [KnownKey] = [.clear, .digit(7), .menu]
    /// Whether the document has been read to its end.
    var isReadToTheEnd = false

    /// The events so far, for a report of a broken rule.
    var history: String {
        past.map { $0.actions.isEmpty ? $0.event : "\($0.event) -> \($0.actions)" }.joined(separator: "\n")
    }

    init(
        trusts: Bool, services: [String] = [], doors: [DoorChoice] = [], tasks: [KioskTask] = [],
        policy: KioskPolicy = KioskPolicy(), offersCards: Bool = false, ownNumber: String? = nil,
        verifiesAddresses: Bool = false
    ) {
        self.verifiesAddresses = verifiesAddresses
        machine = KioskMachine(
            trustsAnything: trusts, services: services, doors: doors, tasks: tasks,
            templates: Samples.templates, policy: policy, offersCards: offersCards, ownNumber: ownNumber,
            resetKeys: Walker.resetKeys)
        (machineBefore, view) = (machine, machine.view)
        hasServices = !services.isEmpty
        self.services = services
        self.policy = policy
        self.tasks = tasks
        places = services + doors.map(\.name)
        obey(machine.start(), after: "start")
    }

    mutating func stop() {
        obey(machine.stop(), after: "stop")
        require(session == nil, "a session outlived the kiosk")
        require(entered == 0 && complete == 0 && putAside == 0, "digits outlived the kiosk")
    }

    mutating func step(using generator: inout SplitMix64) {
        // Mostly events that advance a session, otherwise any.
        if Int.random(in: 0..<10, using: &generator) < 7 {
            helpfulEvent(using: &generator)
        } else {
            anyEvent(using: &generator)
        }
    }

    mutating func helpfulEvent(using generator: inout SplitMix64) {
        if question != nil { return answerQuestion(isBad: Int.random(in: 0..<4, using: &generator) == 0) }
        if codeIsSubmitted { return answerCode(using: &generator) }
        if stepUnderWay != nil {
            return answerStep(isFailure: Int.random(in: 0..<6, using: &generator) == 0, &generator)
        }
        switch view.stage {
        case .firstRun, .stopped: anyEvent(using: &generator)
        case .setup:
            if Bool.random(using: &generator) {
                tell(
                    "file",
                    machine.profileFound(
                        Bool.random(using: &generator) ? .success(Samples.profile) : .failure(.damaged),
                        Samples.handle))
            } else {
                see(using: &generator)
            }
        case .setupQuestion: tell("enter", machine.keyPressed(.enter))
        case .settingUp, .resetting: endSettingUp(using: &generator)
        case .resetQuestion where view.actions.count > 1: tell("enter", machine.keyPressed(.enter))
        case .resetQuestion: for key in Walker.resetKeys { tell("reset key", machine.keyPressed(key)) }
        case .scan where machine.hearsResetKeys && Int.random(in: 0..<40, using: &generator) == 0:
            for key in Walker.resetKeys { tell("reset key", machine.keyPressed(key)) }
        case .scan:
            if Int.random(in: 0..<3, using: &generator) == 0 {
                tell("menu", machine.keyPressed(.menu))
            } else {
                see(using: &generator)
            }
        // Mostly a new PIN: a person with a card then gets another card, the longest path of all.
        case .menu where cardIsKept && Int.random(in: 0..<6, using: &generator) > 0: pressEntry(.changePIN)
        case .menu: tell("entry", machine.keyPressed(.digit(UInt8.random(in: 1...9, using: &generator))))
        case .activationEntry:
            if codeIsTyped { tell("enter", machine.keyPressed(.enter)) } else { typeCode() }
        case .identityDetails: tell("key", machine.keyPressed(.digit(Bool.random(using: &generator) ? 1 : 2)))
        case .card:
            if Int.random(in: 0..<3, using: &generator) == 0 {
                tell("menu", machine.keyPressed(.menu))
            } else {
                see(using: &generator)
            }
        case .cardOffer: tell("key", machine.keyPressed(Bool.random(using: &generator) ? .digit(1) : .enter))
        case .issuedCard: tell("enter", machine.keyPressed(.enter))
        case .issuedCode: tell("time", machine.timerFired(.codeLife, session: session ?? .none))
        case .serviceChoice:
            if view.entry == .text("") {
                tell("number", machine.keyPressed(.digit(UInt8.random(in: 1...3, using: &generator))))
            } else {
                tell("enter", machine.keyPressed(.enter))
            }
        case .codeEntry:
            if codeIsTyped { tell("enter", machine.keyPressed(.enter)) } else { typeCode() }
        case .outcome where view.actions.count > 1: tell("logout", machine.keyPressed(.digit(1)))
        // Give up a registration and type another address.
        case .emailConfirmation where Int.random(in: 0..<6, using: &generator) == 0:
            for _ in 0..<2 { tell("delete", machine.keyPressed(.digit(2))) }
        case .consent, .emailConfirmation, .outcome: tell("enter", machine.keyPressed(.enter))
        case .identityChoice:
            if view.entry == .text("") {
                tell("number", machine.keyPressed(.digit(UInt8.random(in: 0...3, using: &generator))))
            } else {
                tell("enter", machine.keyPressed(.enter))
            }
        case .identityEntry:
            if view.entry == .text("") {
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
            if view.entry == .text("") {
                tell("number", machine.keyPressed(.digit(UInt8.random(in: 1...3, using: &generator))))
            } else {
                tell("enter", machine.keyPressed(.enter))
            }
        case .document, .signQuestion: tell("enter", machine.keyPressed(.enter))
        case .connecting, .registering, .authenticating, .loggingOut, .signing: anyEvent(using: &generator)
        }
    }

    mutating func anyEvent(using generator: inout SplitMix64) {
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
            // The outcome's timer has the number of the session that ended.
            tell("timer", machine.timerFired(timers.randomElement(using: &generator) ?? .session, session: lastSession))
        case 12: tell("left view", machine.timerFired(.view(Walker.code(using: &generator)), session: .none))
        case 13: tell("forgotten", machine.timerFired(.usedCode(Walker.code(using: &generator)), session: .none))
        case 14: tell("notice over", machine.timerFired(.notice, session: .none))
        case 15:
            machine.cameraChanged(trouble: [nil, .silent, .undecodable].randomElement(using: &generator) ?? nil)
            view = machine.view
        case 16, 17: stale(using: &generator)
        case 18:
            let timer = [KioskTimer.typing, .tap, .rest, .boot].randomElement(using: &generator) ?? .rest
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

    /// Presses the key of an entry, or turns the page if it is not on this one.
    private mutating func pressEntry(_ task: KioskTask) {
        let entry = view.actions.first { $0.label.key == task.title }
        guard case .digit(let digit)? = entry?.key else { return tell("more", machine.keyPressed(.menu)) }
        tell("entry", machine.keyPressed(.digit(digit)))
    }

    static func code(using generator: inout SplitMix64) -> CodeDigest {
        Samples.digest("code \(Int.random(in: 0...3, using: &generator))")
    }

    mutating func see(using generator: inout SplitMix64) {
        let decision: CodeReading.Decision =
            Int.random(in: 0..<6, using: &generator) == 0
            ? .refused(.notALogin(.noAccessCode)) : .login(domain: Samples.domain)
        let card: MenuCard? =
            switch decision {
            case .login: nil
            case .refused: card(using: &generator)
            }
        let personalCards: [Result<CardHolder, PersonalCardRefusal>?] = [
            nil, nil, .success(Samples.holder), .failure(.damaged),
        ]
        var personalCard: Result<CardHolder, PersonalCardRefusal>?
        if case .refused = decision, card == nil {
            personalCard = personalCards.randomElement(using: &generator) ?? nil
        }
        var profile: Result<ProfileOffer, ProfileRefusal>?
        if case .refused = decision, card == nil, personalCard == nil {
            let profiles: [Result<ProfileOffer, ProfileRefusal>?] = [nil, .success(Samples.profile), .failure(.tooOld)]
            profile = profiles.randomElement(using: &generator) ?? nil
        }
        let address = Bool.random(using: &generator) ? EmailAddress("qr@example.com") : nil
        let document: Result<DocumentText, DocumentTextError>? =
            switch decision {
            case .login: nil
            case .refused: Bool.random(using: &generator) ? .success(Samples.templates[1].text) : .failure(.notUTF8)
            }
        // The interpreter looks for one only when the machine asks.
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
                    digest: Walker.code(using: &generator), decision: decision, card: card, personalCard: personalCard,
                    profile: profile, address: address, activation: activation, document: document,
                    handle: Samples.handle)))
    }

    mutating func endSettingUp(using generator: inout SplitMix64) {
        if isResetting { return tell("reset", machine.resetEnded(isDone: Bool.random(using: &generator))) }
        if isSetUp {
            isSetUp = false
            return tell(
                "adopted",
                machine.adopt(
                    trustsAnything: Bool.random(using: &generator), services: services, tasks: tasks,
                    policy: policy))
        }
        guard profileIsApplied else { return tell("time", machine.timerFired(.notice, session: .none)) }
        let results: [Result<ProfileEffect, ProfileRefusal>] = [
            .success(.adopted), .success(.restart), .failure(.noRoom),
        ]
        profileIsApplied = false
        tell("profile", machine.profileEnded(results.randomElement(using: &generator) ?? .failure(.failed)))
    }

    /// Half of all codes other than login codes: a card of any task, for a known or unknown place.
    func card(using generator: inout SplitMix64) -> MenuCard? {
        guard Bool.random(using: &generator), let task = KioskTask.allCases.randomElement(using: &generator) else {
            return nil
        }
        let place = (places + ["elsewhere"]).randomElement(using: &generator)
        return MenuCard(task, at: Bool.random(using: &generator) ? place : nil)
    }

    mutating func typeCode() {
        codeIsTyped = true
        tell("code key", machine.keyPressed(.codeKey))
    }

    mutating func answerCode(using generator: inout SplitMix64) {
        codeIsSubmitted = false
        let isWrong = Int.random(in: 0..<4, using: &generator) == 0
        let reading = CodeReading(digest: Walker.code(using: &generator), decision: .login(domain: Samples.domain))
        tell("code typed", machine.codeTyped(isWrong ? nil : reading))
    }

    /// Answers of a session that has ended, which must change nothing.
    mutating func stale(using generator: inout SplitMix64) {
        let before = view
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
            case 8: machine.stepEnded(.success(.taskDone), session: old)
            case 9: machine.stepEnded(.success(.identityDeleted), session: old)
            case 10: machine.stepEnded(.success(.loggedOut), session: old)
            case 11: machine.stepEnded(.success(.verificationStarted(.codeOrLink)), session: old)
            case 12: machine.stepEnded(.success(.verified), session: old)
            case 13: machine.stepEnded(.success(.signerRead(Samples.alice)), session: old)
            case 14: machine.stepEnded(.success(.documentPrepared(Samples.hash)), session: old)
            case 15: machine.stepEnded(.success(.signed), session: old)
            case 16: machine.stepEnded(.success(.cardWritten()), session: old)
            default: machine.stepEnded(.failure(Samples.failure(.unreachable)), session: old)
            }
        require(actions.isEmpty && machine.view == before, "an old session's answer did something")
    }

    mutating func answerQuestion(isBad: Bool) {
        let question = question
        self.question = nil
        if question == .checkNew {
            tell("checked", machine.newPINChecked(isBad ? .allZeros : putAside == 4 ? .easyToGuess : .good))
        } else {
            tell("compared", machine.newPINsCompared(areEqual: !isBad))
        }
    }

    mutating func answerStep(isFailure: Bool, _ generator: inout SplitMix64) {
        guard let step = stepUnderWay else { return }
        // The browser is logged out after the session.
        let session = session ?? lastSession
        stepUnderWay = nil
        if isFailure {
            // Mostly a wrong PIN, because a separate path follows.
            let isWrongPIN = Int.random(in: 0..<4, using: &generator) == 0
            let failures = Samples.failures + (step.stage == .registering ? [] : Samples.verdicts)
            var reason = failures.randomElement(using: &generator) ?? .failed
            if isWrongPIN, step.stage != .registering { reason = .wrongPIN }
            // A registration is seldom restarted, and this failure leads elsewhere.
            if case .restartRegistration = step, isWrongPIN { reason = .untrusted }
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
                isUserVerified: Bool.random(using: &generator),
                signing: isScanned && Int.random(in: 0..<3, using: &generator) == 0 ? signingRequest(&generator) : nil,
                verifiesAddresses: verifiesAddresses,
                // With a card only its own identity, which is registered.
                identities: hasCard
                    ? [Samples.alice]
                    : [
                        people, [Samples.alice], [], [Samples.identity(.blocked)], [Samples.identity(started)],
                        Visit.named("held"), Visit.named("tried"),
                        [Samples.identity(.unusable)],
                    ].randomElement(using: &generator) ?? [])
            tell("backend", machine.stepEnded(.success(.backendOpened(details)), session: session))
        case .startRegistration(let userID):
            let identity = KioskIdentity(userID: userID, backend: "b", number: 3, progress: started)
            tell("started", machine.stepEnded(.success(.registrationStarted(identity)), session: session))
        case .restartRegistration(var identity):
            identity.progress = started
            tell("restarted", machine.stepEnded(.success(.registrationStarted(identity)), session: session))
        case .renewRegistration(var identity):
            identity.progress = started
            let mail = MailContent.allCases.randomElement(using: &generator) ?? .code
            let answer: StepAnswer = verifiesAddresses ? .verificationStarted(mail) : .registrationStarted(identity)
            tell("renewed", machine.stepEnded(.success(answer), session: session))
        case .confirmRegistration:
            tell("confirmed", machine.stepEnded(.success(.registrationConfirmed), session: session))
        case .finishRegistration(var identity):
            identity.progress = .registered
            isRegistered = true
            tell("registered", machine.stepEnded(.success(.registrationFinished(identity)), session: session))
        case .startAuthentication:
            tell("permitted", machine.stepEnded(.success(.authenticationStarted), session: session))
        case .finishAuthentication(_, .login):
            let canLogout = Bool.random(using: &generator)
            tell("authenticated", machine.stepEnded(.success(.authenticated(canLogout: canLogout)), session: session))
        case .startVerification:
            let mail = MailContent.allCases.randomElement(using: &generator) ?? .code
            tell("mail sent", machine.stepEnded(.success(.verificationStarted(mail)), session: session))
        case .finishVerification: tell("verified", machine.stepEnded(.success(.verified), session: session))
        case .startRegistrationWithCode(let userID):
            let identity = KioskIdentity(userID: userID, backend: "b", number: 3, progress: started)
            tell("started", machine.stepEnded(.success(.registrationStarted(identity)), session: session))
        case .deleteIdentity: tell("deleted", machine.stepEnded(.success(.identityDeleted), session: session))
        case .writeCard: tell("card", machine.stepEnded(.success(.cardWritten()), session: session))
        case .logout: tell("logged out", machine.stepEnded(.success(.loggedOut), session: session))
        case .finishAuthentication(_, .oneTimePassword), .finishAuthentication(_, .registrationCode):
            let lifetime = Duration.seconds(Int64.random(in: -1...400, using: &generator))
            tell("issued", machine.stepEnded(.success(.codeIssued(lifetime: lifetime)), session: session))
        case .finishAuthentication(_, let purpose):
            isConfirmed = purpose == .identities
            tell("done", machine.stepEnded(.success(.taskDone), session: session))
        case .readSigner(var identity):
            identity.progress = .registered
            identity.signing =
                [.none, .needsKey, .withPIN, .withOwnPIN].randomElement(using: &generator) ?? .none
            tell("signer", machine.stepEnded(.success(.signerRead(identity)), session: session))
        case .startSigningKey: tell("key", machine.stepEnded(.success(.signingKeyStarted), session: session))
        case .finishSigningKey(var identity):
            identity.signing = .withOwnPIN
            tell("key kept", machine.stepEnded(.success(.signingKeyFinished(identity)), session: session))
        case .prepareDocument:
            tell("hash", machine.stepEnded(.success(.documentPrepared(Samples.hash)), session: session))
        case .sign: tell("signed", machine.stepEnded(.success(.signed), session: session))
        }
    }

    mutating func signingRequest(_ generator: inout SplitMix64) -> SigningRequest {
        let description = Samples.templates.map(\.text).randomElement(using: &generator)
        let request = SigningRequest(
            description: Bool.random(using: &generator) ? description : nil, hash: Samples.hash,
            isSigned: Int.random(in: 0..<8, using: &generator) == 0)
        task = .signing
        isReadToTheEnd = request.description == nil
        return request
    }
}
