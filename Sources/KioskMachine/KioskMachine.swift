// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The kiosk's behaviour: events in, actions out.
///
/// A value without clock, thread, log, network or secret. Each event is a method; it changes the state and returns what
/// the interpreter has to do, in order. Events that do not fit the state are ignored, and so are answers to a session
/// that is over. PIN digits never enter: the machine learns that one was pressed and counts. `docs/kiosk.md` draws the
/// states.
public struct KioskMachine: Sendable {
    var state: State
    var codes = CodeMemory()
    var isCameraPaused = false
    var isCameraWorking = true
    var isKeypadWorking = true
    var isClockSet = true
    /// What the scanner says about the picture, for the person in front of the camera.
    var scanHint: ScannerHint?
    var lastSession = SessionNumber.none
    /// Persons who left between the confirmation and their new PIN: their shares are gone, and as the server gives them
    /// out once only, the next visit has to begin with a new mail.
    var abandoned: [KioskIdentity] = []
    var policy: KioskPolicy
    /// How many identities of this device are gone, which the operator has not taken note of yet.
    let lostIdentities: Int
    /// What the services are called for which a code may be typed by hand, and at which errands are done.
    var services: [String]
    /// The doors that a login at the kiosk itself opens.
    let doors: [DoorPlace]
    /// The entries of the menu.
    var errands: [Errand]
    /// The documents that the operator keeps ready, in the order of their numbers.
    let templates: [SigningTemplate]
    /// How large a page of a document the screen has room for; nil when it has none. To be kept up to date: a document's pages
    /// are made to fit, and one that has no room any more is read anew.
    public var documentRoom: DocumentPageSize? = .standard
    /// Whether a screen has no room for what OK agrees to in the view that is shown. To be kept up to date.
    public var screenLeavesFactsOut = false
    /// What is still shown in the first moment of a wait.
    var heldView: KioskView?
    /// nil unless a service asked the step under way to wait.
    var serviceWait: ServiceWait?
    /// nil while the scan screen is bright.
    var restStep: Int?
    /// Whether the camera was told that it may rest.
    var cameraMayRest = false
    /// How many times a key asked for the next language on the scan screen.
    var languageTurn = 0

    static let abandonedCapacity = 64
    /// A multiple of every number of languages up to ten, so that going round skips none.
    static let languageTurns = 2520

    /// - Parameters:
    ///   - trustsAnything: whether the trust list has an entry; without one the kiosk only says so.
    ///   - services: the names of the services for which an access code may be typed by hand, in the order of their numbers.
    ///   - doors: what a login at the kiosk itself opens, in the order of their numbers.
    ///   - errands: what the menu offers, and cards may begin, in this order; nine at most. What needs a service or a door
    ///     is left out without one.
    ///   - templates: the documents that the operator keeps ready, in the order of their numbers.
    ///   - lostIdentities: how many of this device's are gone: people are told where they would miss theirs.
    public init(
        trustsAnything: Bool, services: [String] = [], doors: [DoorPlace] = [], errands: [Errand] = [],
        templates: [SigningTemplate] = [], policy: KioskPolicy = KioskPolicy(),
        lostIdentities: Int = 0
    ) {
        state = trustsAnything ? .scanning(notice: nil) : .untrusted
        self.services = services
        self.doors = doors
        self.errands = KioskMachine.possible(errands, services: services, doors: doors)
        self.templates = templates
        self.policy = policy
        self.lostIdentities = lostIdentities
    }

    /// To be called once, before any event.
    public mutating func start() -> [KioskAction] {
        switch state {
        case .untrusted: pauseCamera()
        default: wake()
        }
    }

    /// Whether no session is under way and no outcome is shown.
    public var isIdle: Bool {
        switch state {
        case .untrusted, .scanning, .stopped: true
        default: false
        }
    }

    /// Whether digits belong to a PIN now, and must go to ``pinDigitPressed()`` instead of ``digitPressed(_:)``.
    public var asksForPIN: Bool {
        switch state {
        case .choosingPIN, .enteringPIN: true
        default: false
        }
    }

    /// Whether the text of a code in view may be what the person would type.
    public var readsText: Bool { if case .typingIdentity = state { true } else { false } }

    /// The session under way.
    public var session: SessionNumber? { state.session?.number }
}
