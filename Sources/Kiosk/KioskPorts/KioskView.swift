// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// Everything that a screen, a light or a buzzer needs to know. Printing it shows no secret: an access code being
/// typed or issued digits are redacted.
public struct KioskView: Sendable, Equatable {
    public var stage: KioskStage
    public var tone: Tone
    public var title: Prompt
    /// Top to bottom.
    public var lines: [Prompt]
    /// The number of lines, from the first, that OK agrees to. A screen without room for them says so instead, and OK
    /// does nothing.
    public var factCount: Int
    /// The document that the person reads before signing: whole, or not at all.
    public var document: DocumentPage?
    /// A remark about a fault or a fact, apart from the lines.
    public var hint: Prompt?
    public var entry: ViewEntry?
    /// Whether the kiosk is busy and the person waits.
    public var isBusy: Bool
    /// The actions of the keys now. The first two of a question are equally prominent.
    public var actions: [ViewAction]
    /// The names of the keys on the connected keypads.
    public var keyNames = KeyNames.terminal
    /// The time for which the view stays without a key, from its first showing; nil without a limit, or if the limit
    /// must not hurry anybody.
    public var countdown: Duration?
    /// The number of times that a person asked for the next language. Screens rotate their list of languages by it.
    public var languageTurn = 0
    /// Nil while the screen is bright. Otherwise nobody is at the kiosk, and the screen is dim. The number grows when
    /// the picture has to move, so that nothing burns in.
    public var restStep: Int?
    /// Whether nobody has been at the kiosk for so long that camera and panel rest.
    public var isAsleep = false
    /// Nil unless a person asked for speech.
    public var speech: SpeechRequest?
    /// The look of screens that are drawn.
    public var look = ScreenLook.usual

    public init(
        _ stage: KioskStage, _ tone: Tone, title: Prompt, lines: [Prompt] = [], factCount: Int = 0,
        document: DocumentPage? = nil,
        hint: Prompt? = nil, entry: ViewEntry? = nil, isBusy: Bool = false, actions: [ViewAction] = [],
        countdown: Duration? = nil
    ) {
        self.stage = stage
        self.tone = tone
        self.title = title
        self.lines = lines
        self.factCount = factCount
        self.document = document
        self.hint = hint
        self.entry = entry
        self.isBusy = isBusy
        self.actions = actions
        self.countdown = countdown
    }
}

/// The wish of a person who listens.
public struct SpeechRequest: Sendable, Equatable {
    public static let volumes = 1...5

    /// Within ``volumes``.
    public var volume = 3
    /// The number of keys that had no other effect: each asks to hear the view again.
    public var repeats = 0

    public init() {}
}

/// The stage of a session that a view belongs to.
public enum KioskStage: String, Sendable, CaseIterable {
    case firstRun, scan, menu, serviceChoice, codeEntry, connecting, consent, identityChoice, identityEntry,
        activationEntry, registering, emailConfirmation, newPIN, newPINAgain, pin, authenticating, wrongPIN, issuedCode,
        identityDetails, outcome, loggingOut, stopped
    // Signing.
    case documentChoice, document, signQuestion, signing
    // Personal cards.
    case card, cardOffer, issuedCard
    // A kiosk without an operator, and the deletion of everything.
    case setup, setupQuestion, settingUp, resetQuestion, resetting

    /// Whether the person is being asked for PIN digits.
    public var asksForPIN: Bool { self == .newPIN || self == .newPINAgain || self == .pin }
}

/// The mood of a view, which lights and buzzers express. It depends on the stage and the service's answer, never on a
/// digit.
public enum Tone: String, Sendable, CaseIterable {
    case ready, working, ask, success, failure, trouble
}

/// A key and its effect in a view.
public struct ViewAction: Sendable, Equatable {
    public let key: Key
    public let label: Prompt

    public init(_ key: Key, _ label: PromptKey) {
        self.key = key
        self.label = Prompt(label)
    }

    public init(_ key: Key, _ label: Prompt) {
        self.key = key
        self.label = label
    }
}

/// The typed characters, as far as they may be seen.
public enum ViewEntry: Sendable, Equatable {
    /// The number of digits, and the greatest number.
    case masked(count: Int, capacity: Int)
    case text(String)
    /// An access code, readable on the screen as on the page that shows it; redacted wherever a view is printed.
    case code(SecretBytes)
    /// Digits that the server issued, as ASCII, to be typed elsewhere; redacted wherever a view is printed.
    case digits(SecretBytes)
    /// The text of a personal card, in the alphanumeric characters of a QR code, to be drawn as one; redacted wherever
    /// a view is printed.
    case card(SecretBytes)
}

/// A screen for the person at the kiosk.
public protocol KioskScreen: Sendable {
    /// The size of a document's page that fits there now; nil when none does.
    var documentRoom: DocumentPageSize? { get }

    /// Whether the lines that OK agrees to in this view do not fit now (``KioskView/factCount``).
    func leavesFactsOut(of view: KioskView) -> Bool

    /// Whether a pictured entry, the code of a personal card, fits now: half a code is useless.
    func hasRoom(for entry: ViewEntry) -> Bool

    /// Shows `view` in place of the previous one. The caller skips views that a slow screen could not show in time:
    /// each one is complete in itself.
    func show(_ view: KioskView) async
}

extension KioskScreen {
    public func leavesFactsOut(of view: KioskView) -> Bool { false }

    public func hasRoom(for entry: ViewEntry) -> Bool { false }
}
