// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

// The beginning and the end of sessions.
extension KioskMachine {
    /// Begins the action of a code in view outside of a session.
    mutating func begin(with reading: CodeReading) -> [KioskAction] {
        if case .link(let userID, let service?) = reading.activation, wantedReadings.contains(.activation) {
            return openLink(for: userID, service: service, reading.handle)
        }
        if let card = reading.card { return begin(with: card) }
        if let card = reading.personalCard { return take(card, reading.handle) }
        // Only its operator may set up a kiosk that is in use, and does not use the camera for that.
        if reading.profile != nil { return refuse(.profile(.notWanted)) }
        switch reading.decision {
        case .refused(let refusal): return refuse(refusal)
        case .login where codes.used.contains(reading.digest): return refuse(.alreadyUsed)
        case .login(let domain): return openSession(with: reading, domain: domain, isTyped: false)
        }
    }

    /// A printed card replaces keys that the person would press in the menu. So it begins nothing that the menu lacks,
    /// does not identify a person, and can be used again.
    private mutating func begin(with card: MenuCard) -> [KioskAction] {
        guard tasks.contains(card.task) else { return refuse(.notOffered) }
        let leaving: [KioskAction] = asksForCode ? [.code(.wipe), .stopTimer(.tap)] : []
        let beginning: [KioskAction]
        if let name = card.place {
            guard let place = places(for: card.task).firstIndex(of: name) else { return refuse(.notOffered) }
            beginning = [.stopTimer(.notice)] + begin(card.task, at: place)
        } else {
            beginning = choosePlace(for: card.task)
        }
        restStep = nil
        return [.cardTaken(card.task)] + leaving + beginning
    }

    /// - Parameter isTyped: whether a person typed the code, perhaps with a mistake.
    mutating func openSession(with reading: CodeReading, domain: String, isTyped: Bool) -> [KioskAction] {
        let wasScanning = isScanning
        var session = makeSession(for: .login, code: reading.digest, domain: domain, isTyped: isTyped)
        let opening =
            handCard(to: &session) + [.stopTimer(.notice), .openSession(session.number, reading.handle)]
            + connect(session)
        return wasScanning ? opening : opening + [.code(.wipe), .stopTimer(.typing), .stopTimer(.tap)]
    }

    /// Begins with a scanned link of a mail, which names the user.
    private mutating func openLink(for userID: String, service: Int, _ handle: Handle) -> [KioskAction] {
        let wasScanning = isScanning
        var session = makeSession(for: .verification, domain: services[service])
        session.typedUser = userID
        return handCard(to: &session) + [
            .stopTimer(wasScanning ? .notice : .typing),
            .openTask(session.number, .verification, service: service), .code(.takeScanned(handle)),
        ] + connect(session)
    }

    /// Asks for the service or the door, unless there is only one.
    mutating func choosePlace(for task: KioskTask) -> [KioskAction] {
        let places = places(for: task)
        guard !places.isEmpty else { return [] }
        if places.count == 1 { return [.stopTimer(.notice)] + begin(task, at: 0) }
        state = .idle(ServiceChoiceScreen(task: task))
        return [.stopTimer(.notice), .startTimer(.typing, KioskTiming.typing, .none)]
    }

    /// - Parameter place: the index of the service or the door in its list.
    mutating func begin(_ task: KioskTask, at place: Int) -> [KioskAction] {
        guard task != .login else {
            state = .idle(CodeEntryScreen(service: place))
            return [.startTimer(.typing, KioskTiming.typing, .none)]
        }
        let isDoor = task.rules.isDoneAtDoors
        var session = makeSession(for: task, domain: isDoor ? doors[place].domain : services[place])
        if isDoor { session.door = DisplayText(doors[place].name) }
        return handCard(to: &session) + [.stopTimer(.typing), .openTask(session.number, task, service: place)]
            + connect(session)
    }

    /// The names of the services or doors to choose from.
    func places(for task: KioskTask) -> [String] { task.rules.isDoneAtDoors ? doors.map(\.name) : services }

    private mutating func makeSession(
        for task: KioskTask, code: CodeDigest? = nil, domain: String, isTyped: Bool = false
    ) -> Session {
        lastSession = lastSession.next
        restStep = nil
        return Session(number: lastSession, purpose: task, code: code, domain: domain, isTyped: isTyped)
    }

    private mutating func connect(_ session: Session) -> [KioskAction] {
        let screen = Connecting(step: .readService)
        state = .session(session, screen)
        return [
            .startTimer(.session, KioskTiming.session, session.number), .perform(screen.step, session.number),
        ]
    }

    mutating func refuse(_ refusal: CodeRefusal) -> [KioskAction] {
        let (key, duration): (PromptKey, Duration) =
            switch refusal {
            case .notALogin, .divided: (.invalidCode, KioskTiming.invalidCodeNotice)
            case .untrusted(.loopbackHTTP): (.loopbackCode, KioskTiming.notice)
            case .untrusted: (.untrustedCode, KioskTiming.notice)
            case .alreadyUsed: (.codeAlreadyUsed, KioskTiming.notice)
            case .notOffered: (.cardNotOffered, KioskTiming.notice)
            case .foreignCard: (.cardForeign, KioskTiming.cardNotice)
            case .personalCard(let refusal): (refusal.promptKey, KioskTiming.cardNotice)
            case .profile(let refusal): (refusal.promptKey, KioskTiming.cardNotice)
            }
        guard case .idle(let screen) = state else { return [.refused(refusal)] }
        return [.refused(refusal)] + screen.refused(key, for: refusal, duration, &self)
    }

    /// Remembers that a login was tried with the session's code.
    mutating func markUsed(_ session: Session) -> [KioskAction] {
        guard let code = session.code else { return [] }
        var actions: [KioskAction] = []
        if let displaced = codes.use(code) { actions.append(.stopTimer(.usedCode(displaced))) }
        actions.append(.startTimer(.usedCode(code), KioskTiming.codeIsRemembered, .none))
        return actions
    }

    mutating func show(_ screen: some SessionScreen, _ session: Session) { state = .session(session, screen) }

    /// Ends the session with `outcome` and shows it.
    ///
    /// - Parameters:
    ///   - facts: lines for the person to remember.
    ///   - line: the next step, if it is not the usual one after `message`.
    ///   - logout: the person whose browser session can be ended from here now.
    ///   - stepIsOver: whether the event is the answer of the step under way, so that there is no step to cancel.
    mutating func conclude(
        _ session: Session, _ outcome: SessionOutcome, _ message: Prompt, facts: [Prompt] = [], line: Prompt? = nil,
        deleting identity: KioskIdentity? = nil, logout: KioskIdentity? = nil, stepIsOver: Bool = false
    ) -> [KioskAction] {
        // An identity that is registered again stayed as it was.
        let identity = session.renewed == nil ? identity : nil
        var actions = giveUp(session, outcome, stepIsOver: stepIsOver, isDeleting: identity != nil)
        if let identity { actions.append(.deleteIdentity(identity)) }
        actions += [.stopTimer(.session), .stopTimer(.entry), .stopTimer(.wrongPIN)]
        actions += pauseCamera()
        actions.append(.closeSession(session.number, outcome))
        state = .over(
            Conclusion(
                session: session.number, outcome: outcome, message: message, facts: facts,
                line: line ?? message.key.nextStep(in: session.purpose).map { Prompt($0) },
                isOwnChoice: outcome == .declined || message.key == session.rules.declined,
                logout: logout))
        actions.append(.startTimer(.outcome, KioskTiming.display(of: outcome), session.number))
        return actions
    }

    /// Ends the session because a step failed.
    ///
    /// - Parameter key: the sentence for failures without one of their own; it quotes the status.
    mutating func conclude(
        _ session: Session, _ outcome: SessionOutcome, because failure: KioskFailure, failed key: PromptKey,
        line: Prompt? = nil, deleting identity: KioskIdentity? = nil
    ) -> [KioskAction] {
        let message = outcome.message(
            failure, failed: key, for: session.purpose, isScanned: session.code != nil)
        return conclude(session, outcome, message, line: line, deleting: identity, stepIsOver: true)
    }

    /// Returns the actions that every end of a session needs.
    mutating func giveUp(
        _ session: Session, _ outcome: SessionOutcome, stepIsOver: Bool, isDeleting: Bool
    ) -> [KioskAction] {
        guard case .session(_, let screen) = state else { return [] }
        var actions: [KioskAction] = []
        if screen is any StepScreen, !stepIsOver { actions.append(.cancelStep(session.number)) }
        if screen.mayHoldDigits { actions.append(.entry(.wipe)) }
        // Shares that became a token are gone.
        if let identity = screen.identityWithShares, !isDeleting, outcome != .registered {
            if screen.losesRegistration { abandon(identity) }
            actions.append(.forgetShares(identity))
        } else if let renewed = session.renewed, session.registered == nil {
            actions.append(.forgetShares(renewed))
        }
        if session.serverWasTold, outcome.abandonsCode { actions.append(.abort(session.number)) }
        return actions
    }

    private mutating func abandon(_ identity: KioskIdentity) {
        abandoned.removeAll { $0.isSamePerson(as: identity) }
        abandoned.append(identity)
        if abandoned.count > KioskMachine.abandonedCapacity { abandoned.removeFirst() }
    }
}
