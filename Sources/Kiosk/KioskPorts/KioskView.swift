// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// All that a screen, a light or a buzzer needs to know. It shows no secret when it is printed: the one that it may
/// carry, an access code being typed or digits that were issued, is redacted then.
public struct KioskView: Sendable, Equatable {
    public var stage: KioskStage
    public var tone: Tone
    public var title: Prompt
    /// Top to bottom.
    public var lines: [Prompt]
    /// How many of the lines, from the first, say what OK agrees to. A screen that has no room for them says so
    /// instead, and OK does nothing.
    public var factCount: Int
    /// The document that the person reads before signing: whole, or not at all.
    public var document: DocumentPage?
    /// A note about a fault, or about a thing to be known, apart from the lines.
    public var hint: Prompt?
    public var entry: ViewEntry?
    /// Whether the kiosk is busy and the person waits.
    public var isBusy: Bool
    /// The actions of the keys now; the first two of a question are equally prominent.
    public var actions: [ViewAction]
    /// The names of the keys on the connected keypads.
    public var keyNames = KeyNames.terminal
    /// How long it stays when the person does nothing, counted from its showing; nil when there is no limit, or none
    /// that a person should hurry for.
    public var countdown: Duration?
    /// How many times a person asked for the next language. Screens turn their list of languages by it.
    public var languageTurn = 0
    /// nil while the screen is bright. Otherwise no person is at the kiosk, and it is to be dim; the number grows each
    /// time when the picture has to move to another place, so that nothing burns in.
    public var restStep: Int?

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

/// Where in the flow a view stands.
public enum KioskStage: String, Sendable, CaseIterable {
    case firstRun, scan, menu, serviceChoice, codeEntry, connecting, consent, identityChoice, identityEntry,
        activationEntry, registering, emailConfirmation, newPIN, newPINAgain, pin, authenticating, wrongPIN, issuedCode,
        identityDetails, outcome, loggingOut, stopped
    // Signing.
    case documentChoice, document, signQuestion, signing
    // Personal cards.
    case card, cardOffer, issuedCard
    // A kiosk without an operator, and one that gets rid of everything.
    case setup, setupQuestion, settingUp, resetQuestion, resetting

    /// Whether the person is being asked for PIN digits.
    public var asksForPIN: Bool { self == .newPIN || self == .newPINAgain || self == .pin }
}

/// How a view feels: what a light or a buzzer shows of it. It depends on the stage, and on what the service said, never
/// on a digit.
public enum Tone: String, Sendable, CaseIterable {
    case ready, working, ask, success, failure, trouble
}

/// A key and what it does in a view.
public struct ViewAction: Sendable, Equatable {
    public let key: Key
    public let label: Prompt

    public init(_ key: Key, _ label: PromptKey) {
        self.key = key
        self.label = Prompt(label)
    }
}

/// The characters typed so far, as far as they may be seen.
public enum ViewEntry: Sendable, Equatable {
    /// Only how many digits, and how many there may be.
    case masked(count: Int, capacity: Int)
    case text(String)
    /// An access code, readable on the screen as on the page that it is copied from; redacted wherever a
    /// view is printed.
    case code(SecretBytes)
    /// Digits that the server issued, as ASCII, to be read and typed in somewhere else; redacted wherever a
    /// view is printed.
    case digits(SecretBytes)
    /// The text of a personal card, in the alphanumeric characters of a QR code, to be drawn as one; redacted wherever
    /// a view is printed.
    case card(SecretBytes)
}

/// Where a person looks.
public protocol KioskScreen: Sendable {
    /// The largest page of a document that has room there now; nil when a document cannot be read there.
    var documentRoom: DocumentPageSize? { get }

    /// Whether there is no room now for what OK agrees to in this view (``KioskView/factCount``).
    func leavesFactsOut(of view: KioskView) -> Bool

    /// Whether an entry that is a picture, the code of a personal card, has room now: half a code is none.
    func hasRoom(for entry: ViewEntry) -> Bool

    /// Shows `view` instead of what was shown before. Views that a slower screen could not show in time are skipped by
    /// the caller: each one is complete in itself.
    func show(_ view: KioskView) async
}

extension KioskScreen {
    public func leavesFactsOut(of view: KioskView) -> Bool { false }

    public func hasRoom(for entry: ViewEntry) -> Bool { false }
}
