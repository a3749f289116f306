// SPDX-License-Identifier: Apache-2.0

/// The printed names of a keypad's keys. Digits and characters name themselves.
public struct KeyNames: Hashable, Sendable {
    /// The print on a key, and whether to hold the key for a second.
    public struct Name: Hashable, Sendable {
        public let text: String
        public let isHeld: Bool

        public init(_ text: String, isHeld: Bool = false) {
            self.text = text
            self.isHeld = isHeld
        }
    }

    private let names: [Key: [Name]]
    /// Whether a number pad may send arrows instead of digits, which no program can detect.
    public let needsNumLock: Bool

    /// - Parameter names: of those keys among ENTER, CLEAR, BACK and MENU that the keypad has.
    public init(_ names: [Key: Name], needsNumLock: Bool = false) {
        self.init(all: names.mapValues { [$0] }, needsNumLock: needsNumLock)
    }

    private init(all names: [Key: [Name]], needsNumLock: Bool) {
        self.names = names
        self.needsNumLock = needsNumLock
    }

    /// Merges several keypads: a person may press a key of any.
    public init(merging keypads: [KeyNames]) {
        let names = keypads.reduce(into: [Key: [Name]]()) { names, keypad in
            for (key, others) in keypad.names {
                names[key, default: []] += others.filter { names[key]?.contains($0) != true }
            }
        }
        self.init(all: names, needsNumLock: keypads.contains(where: \.needsNumLock))
    }

    /// - Returns: an empty array for a key that the keypad does not have.
    public func names(of key: Key) -> [Name] {
        switch key {
        case .digit(let digit): [Name("\(digit)")]
        case .character(let character): [Name(String(character))]
        case .enter, .clear, .back, .menu: names[key] ?? []
        }
    }
}

extension KeyNames {
    /// The keyboard of a terminal.
    public static let terminal = terminal(needsNumLock: false)

    public static func terminal(needsNumLock: Bool) -> KeyNames {
        KeyNames(
            [.enter: Name("Enter"), .clear: Name("Ctrl-U"), .back: Name("Backspace"), .menu: Name("Tab")],
            needsNumLock: needsNumLock)
    }

    /// A keyboard that the kiosk reads without a terminal.
    public static let keyboard = KeyNames([
        .enter: Name("Enter"), .clear: Name("Delete"), .back: Name("Backspace"), .menu: Name("Tab"),
    ])

    /// Keys on a screen, by their signs.
    public static let touched = KeyNames([
        .enter: Name("✓"), .clear: Name("C"), .back: Name("‹"), .menu: Name("≡"),
    ])

    /// A number pad as sold for PCs.
    public static let numberPad = KeyNames([.enter: Name("Enter"), .clear: Name("."), .back: Name("*")])
}
