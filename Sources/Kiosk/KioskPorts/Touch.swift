// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// The part of a view that a pressed key is about. A key that was pressed at one of them has no effect at another.
public struct KeySubject: Sendable, Hashable {
    let stage: KioskStage
    let title: Prompt
    /// The lines that OK agrees to.
    let facts: [Prompt]
    let document: DocumentPage?
    let isResting: Bool

    public init(_ view: KioskView) {
        stage = view.stage
        title = view.title
        facts = Array(view.lines.prefix(view.factCount))
        document = view.document
        isResting = view.restStep != nil
    }
}

/// The view to which a touched key belongs.
public struct TouchedView: Sendable, Hashable {
    let subject: KeySubject
    /// The label of a key with a label of its own, such as OK; nil for digits and letters.
    let label: Prompt?

    public init(_ subject: KeySubject, _ label: Prompt?) {
        self.subject = subject
        self.label = label
    }

    /// Whether the key has the same effect in a view as when it was touched.
    public func isStill(_ view: KioskView, _ key: Key) -> Bool {
        guard subject == KeySubject(view) else { return false }
        guard let label else { return true }
        return view.actions.contains { $0.key == key && $0.label == label }
    }
}

/// A key on a panel that fingers press.
public struct TouchKey: Sendable, Hashable {
    public enum Effect: Sendable, Hashable {
        case press(Key, label: Prompt?)
        /// Types the domain of an e-mail address.
        case domain(String)
        /// Shows letters in place of digits, or digits in place of letters.
        case otherKeyboard
    }

    public let place: KeyPlace
    public let effect: Effect
    /// The time from which on the key is shown where it is, with this effect and on this subject, since the machine
    /// started.
    public let since: Duration

    public init(_ place: KeyPlace, _ effect: Effect, since: Duration) {
        self.place = place
        self.effect = effect
        self.since = since
    }
}

/// The keys on a panel at one moment.
public struct TouchKeys: Sendable, Hashable {
    /// The size of the picture in pixels, as the person sees it.
    public let width: Int
    public let height: Int
    public let rotation: DisplaySettings.Rotation
    public let subject: KeySubject
    public let keys: [TouchKey]
    /// The number of typed characters.
    public let typedCount: Int
    /// The typed text, unless it is a secret.
    public let text: String
    /// Whether nothing may show which key is touched: a PIN is typed.
    public let isSecret: Bool

    public init(
        width: Int, height: Int, rotation: DisplaySettings.Rotation, subject: KeySubject, keys: [TouchKey],
        typedCount: Int = 0, text: String = "", isSecret: Bool = false
    ) {
        self.width = width
        self.height = height
        self.rotation = rotation
        self.subject = subject
        self.keys = keys
        self.typedCount = typedCount
        self.text = text
        self.isSecret = isSecret
    }
}

extension TouchKeys {
    /// The keys on a view.
    public init(
        of view: KioskView, subject: KeySubject, width: Int, height: Int, rotation: DisplaySettings.Rotation,
        keys: [TouchKey]
    ) {
        let (count, text): (Int, String) =
            switch view.entry {
            case .masked(let count, _): (count, "")
            case .text(let text): (text.count, text)
            case .code(let code): (code.count, "")
            case .digits, .card, nil: (0, "")
            }
        self.init(
            width: width, height: height, rotation: rotation, subject: subject, keys: keys, typedCount: count,
            text: text, isSecret: view.stage.asksForPIN)
    }
}

/// A screen with keys for fingers.
public protocol TouchedScreen: Sendable {
    /// Whether a panel shows pictures.
    var isShown: Bool { get }

    /// The keys on the panel now; nil while it shows none of the newest view.
    var touchKeys: TouchKeys? { get }

    /// Notes whether a touch panel is there. Without one the screen draws no keyboards.
    func touchPanelChanged(isThere: Bool)

    /// Shows that a finger is on a key, or on none. Not called for keys of a secret.
    func touch(_ key: TouchKey?)

    /// Shows letters in place of digits, or digits in place of letters.
    func showOtherKeyboard()

    /// Sets the function to call when a panel comes or goes; nil for none.
    func onPanelChange(_ call: (@Sendable () -> Void)?)
}
