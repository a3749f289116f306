// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The kiosk's behaviour: events in, actions out.
///
/// A value without clock, thread, log, network or secret. Each event is a method. It changes the state and returns the
/// interpreter's actions, in order. Events that do not fit the state are ignored, and so are answers to a session that
/// is over. PIN digits never enter: the machine only counts them. `docs/kiosk.md` lists the screens that follow each
/// screen.
public struct KioskMachine: Sendable {
    enum State: Sendable {
        case idle(any IdleScreen)
        case session(Session, any SessionScreen)
        case over(Conclusion)
        /// The machine has stopped.
        case stopped
    }

    var state: State
    var codes = CodeMemory()
    var isCameraPaused = false
    /// The reason why no pictures come; nil while they come.
    var cameraTrouble: ScannerTrouble.Kind?
    var isCameraWorking: Bool { cameraTrouble == nil }
    var isKeypadWorking = true
    var isClockSet = true
    /// The scanner's hint about the picture, for the person in front of the camera.
    var scanHint: ScannerHint?
    var lastSession = SessionNumber.none
    /// People who left between the confirmation and their new PIN. Their shares are gone, and the server gives them
    /// out only once, so the next visit begins with a new mail.
    var abandoned: [KioskIdentity] = []
    var policy: KioskPolicy
    /// The number of lost identities of this device, since the operator last took note.
    let lostIdentities: Int
    /// Whether personal cards can be made here.
    let offersCards: Bool
    /// The name of an unprovisioned kiosk in its operator's lists; nil when it waits for no profile.
    let ownNumber: String?
    /// The operator's keys for a reset; empty when there are none.
    let resetKeys: [KnownKey]
    /// The reset keys pressed so far, in the first seconds after the start.
    var bootKeys: KeySequence?
    /// The person who showed a personal card, until a session begins with it.
    var holder: CardHolder?
    /// The names of the services for tasks and for codes typed by hand.
    var services: [String]
    /// The doors that a login at the kiosk opens.
    let doors: [DoorChoice]
    /// The tasks of the menu, and those that only cards begin: ``menu``.
    var tasks: [KioskTask]
    /// The operator's documents, in the order of their numbers.
    let templates: [SigningTemplate]
    /// The size of a document's page that fits the screen; nil when none does.
    var documentRoom: DocumentPageSize? = .standard
    /// Whether the lines that OK agrees to do not fit the screen.
    var screenLeavesFactsOut = false
    /// The view that is still shown in the first moment of a wait.
    var heldView: KioskView?
    /// Nil unless a service asked the step under way to wait.
    var serviceWait: ServiceWait?
    /// Nil while the scan screen is bright.
    var restStep: Int?
    /// Whether the camera was allowed to rest.
    var cameraMayRest = false
    /// The number of times that a key asked for the next language on the scan screen.
    var languageTurn = 0
    /// Nil unless a person asked for speech.
    var speech: SpeechRequest?
    /// Nil unless a person asked for another look.
    var chosenLook: ScreenLook?
    /// The time of the event: ``timeIs(_:)``.
    var now = Duration.zero
    var wrongPINThrottle = WrongPINThrottle()
    var registrations = RegistrationBound()

    static let abandonedCapacity = 64

    /// - Parameters:
    ///   - trustsAnything: whether the trust list has an entry; without one the kiosk only reports that.
    ///   - services: the names of the services for tasks and for codes typed by hand, in the order of their numbers.
    ///   - doors: the doors that a login at the kiosk opens, in the order of their numbers.
    ///   - tasks: the tasks of the menu and of cards, in this order. Those that need a service or a door are left
    ///     out without one.
    ///   - templates: the operator's documents, in the order of their numbers.
    ///   - lostIdentities: the number of this device's identities that are gone. People are informed where they would
    ///     miss theirs.
    ///   - offersCards: whether personal cards can be made here, because there is a fleet key.
    ///   - ownNumber: the number of a kiosk that no operator has set up, and that takes a profile; nil when it waits
    ///     for none. A kiosk that trusts a service takes none.
    ///   - resetKeys: the keys with which the operator deletes everything in the first seconds after the start.
    public init(
        trustsAnything: Bool, services: [String] = [], doors: [DoorChoice] = [], tasks: [KioskTask] = [],
        templates: [SigningTemplate] = [], policy: KioskPolicy = KioskPolicy(),
        lostIdentities: Int = 0, offersCards: Bool = false, ownNumber: String? = nil, resetKeys: [KnownKey] = []
    ) {
        state = .idle(trustsAnything ? ScanScreen() : KioskMachine.untrusting(ownNumber))
        self.ownNumber = ownNumber
        self.resetKeys = resetKeys
        self.services = services
        self.doors = doors
        self.tasks = KioskMachine.possible(tasks, services: services, doors: doors)
        self.templates = templates
        self.policy = policy
        self.lostIdentities = lostIdentities
        self.offersCards = offersCards
    }

    /// The screen of a kiosk that trusts nothing.
    private static func untrusting(_ ownNumber: String?) -> any IdleScreen {
        ownNumber == nil ? FirstRunScreen() : ProfileScreen()
    }

    /// The entries of the menu: all tasks that the operator did not leave to cards.
    var menu: [KioskTask] { tasks.filter { !policy.cardTasks.contains($0) } }

    /// Starts the machine. Call it once, before any event.
    public mutating func start() -> [KioskAction] {
        if showsOwnKey { return [] }
        if isUntrusted { return pauseCamera() }
        bootKeys = KeySequence(resetKeys)
        return wake() + (bootKeys == nil ? [] : [.startTimer(.boot, KioskTiming.boot, .none)])
    }

    /// Takes the operator's changed settings for the next session. Ignored while a person is served.
    ///
    /// The parameters are those of the initialiser.
    public mutating func adopt(
        trustsAnything: Bool, services: [String], tasks: [KioskTask], policy: KioskPolicy
    ) -> [KioskAction] {
        guard isIdle else { return [] }
        self.services = services
        self.tasks = KioskMachine.possible(tasks, services: services, doors: doors)
        self.policy = policy
        if isUntrusted || showsOwnKey || isSetUp, trustsAnything {
            state = .idle(ScanScreen())
            return [.stopTimer(.notice)] + resumeCamera() + wake()
        }
        if isScanning || isSetUp, !trustsAnything {
            state = .idle(KioskMachine.untrusting(ownNumber))
            restStep = nil
            return showsOwnKey ? resumeCamera() : pauseCamera()
        }
        return []
    }

    /// Leaves out the tasks that need a service or a door when there is none.
    private static func possible(_ tasks: [KioskTask], services: [String], doors: [DoorChoice]) -> [KioskTask] {
        tasks.filter { $0.rules.isDoneAtDoors ? !doors.isEmpty : !services.isEmpty }
    }

    /// Stops the machine. The last event.
    public mutating func stop() -> [KioskAction] {
        var actions: [KioskAction] = []
        if case .session(let session, let screen) = state {
            // A server that asks for a wait has not processed the request, so the outcome is known.
            let isUnsent = screen is Authenticating && serviceWait?.session == session.number
            let outcome = isUnsent ? .stopped : screen.outcomeWhenStopped
            actions += giveUp(session, outcome, stepIsOver: false, isDeleting: false)
            actions.append(.closeSession(session.number, outcome))
        }
        if asksForCode { actions.append(.code(.wipe)) }
        actions += dropCard()
        state = .stopped
        restStep = nil
        return actions
    }
}

// Facts that the interpreter needs.
extension KioskMachine {
    /// Whether no session is under way and no outcome is shown.
    public var isIdle: Bool {
        switch state {
        case .idle(let screen): screen.isLeft
        case .stopped: true
        case .session, .over: false
        }
    }

    /// The session under way.
    public var session: SessionNumber? { if case .session(let session, _) = state { session.number } else { nil } }

    /// The purpose of the session under way.
    public var task: KioskTask? { if case .session(let session, _) = state { session.purpose } else { nil } }

    /// The secret that keys are entering now. Pass ``KnownKey/pinDigit`` or ``KnownKey/codeKey`` to the machine in
    /// place of such a key.
    public var secretEntry: SecretEntry? {
        switch state {
        case .idle(let screen): screen.secretEntry
        case .session(_, let screen): screen.secretEntry
        case .over, .stopped: nil
        }
    }

    var asksForCode: Bool { if case .code = secretEntry { true } else { false } }

    /// The readings of a code in view that the machine wants now, besides logins and cards. The interpreter looks for
    /// no others.
    public var wantedReadings: WantedReadings {
        switch state {
        // A mail's link begins the task by itself.
        case .idle(let screen): screen.takesCodes && tasks.contains(.verification) ? screen.wantedReadings : []
        case .session(_, let screen): screen.wantedReadings
        case .over, .stopped: []
        }
    }

    /// Whether issued digits belong into the view now.
    public var showsIssuedCode: Bool { if case .session(_, is IssuedCodeScreen) = state { true } else { false } }

    /// Whether a personal card belongs into the view now.
    public var showsIssuedCard: Bool { if case .session(_, is IssuedCardScreen) = state { true } else { false } }

    var isUntrusted: Bool { if case .idle(is FirstRunScreen) = state { true } else { false } }
    var isScanning: Bool { if case .idle(is ScanScreen) = state { true } else { false } }
}
