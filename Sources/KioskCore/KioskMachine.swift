// SPDX-License-Identifier: Apache-2.0

public import LoginValues

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
    /// What the scanner says about the picture, for the person in front of the camera.
    var scanHint: ScannerHint?
    var lastSession = SessionNumber.none
    /// Persons who left between the confirmation and their new PIN: their shares are gone, and as the server gives them
    /// out once only, the next visit has to begin with a new mail.
    var abandoned: [KioskIdentity] = []
    let minimumPINLength: Int
    /// How many times MENU asked for the next language on the scan screen.
    var languageTurn = 0

    static let abandonedCapacity = 64
    /// A multiple of every number of languages up to ten, so that going round skips none.
    static let languageTurns = 2520

    /// - Parameters:
    ///   - trustsAnything: whether the trust list has an entry; without one the kiosk only says so.
    ///   - minimumPINLength: how many digits a PIN has at least, within `Pin.lengths`.
    public init(trustsAnything: Bool, minimumPINLength: Int = Pin.lengths.lowerBound) {
        state = trustsAnything ? .scanning(notice: nil) : .untrusted
        self.minimumPINLength = min(max(minimumPINLength, Pin.lengths.lowerBound), Pin.lengths.upperBound)
    }

    /// To be called once, before any event.
    public mutating func start() -> [KioskAction] {
        switch state {
        case .untrusted: pauseCamera()
        default: []
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

    /// The session under way.
    public var session: SessionNumber? { state.session?.number }
}
