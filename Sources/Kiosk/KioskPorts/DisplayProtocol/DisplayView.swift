// SPDX-License-Identifier: Apache-2.0

/// A view in the words of a language, for the process that draws it. That process knows no catalogue and no machine.
public struct DisplayView: Sendable, Equatable {
    /// One of the lines below the title.
    public struct Line: Sendable, Equatable {
        public enum Kind: UInt8, Sendable, CaseIterable {
            case plain
            /// A host at which the person's PIN takes effect.
            case domain
            case warning
            /// A fact that the person may do without.
            case quiet
            /// Advice for a keypad, which a keyboard for fingers does not need.
            case advice
        }

        /// The label before `text`, such as `Domain:`; empty when the sentence is one piece.
        public let label: String
        public let text: String
        public let kind: Kind

        public init(label: String = "", _ text: String, kind: Kind = .plain) {
            self.label = label
            self.text = text
            self.kind = kind
        }
    }

    /// A row of a document.
    public struct Row: Sendable, Equatable {
        public struct Piece: Sendable, Equatable {
            public let text: String
            /// Whether this is a spelled-out character.
            public let isMark: Bool

            public init(_ text: String, isMark: Bool = false) {
                self.text = text
                self.isMark = isMark
            }
        }

        public let pieces: [Piece]

        public init(_ pieces: [Piece]) { self.pieces = pieces }
    }

    public enum Entry: Sendable, Equatable {
        /// The number of typed digits of a PIN, and the greatest number.
        case masked(count: Int, capacity: Int)
        /// Text that the person types.
        case text(String)
        /// Digits for the person to copy.
        case digits(String)
        /// A QR code for the person to photograph.
        case code(ModuleGrid)
    }

    /// A key and its effect.
    public struct Key: Sendable, Equatable {
        public enum Role: UInt8, Sendable, CaseIterable {
            case other, enter, clear, back, menu, digit
        }

        public let role: Role
        /// The key's name on the connected keypads.
        public let cap: String
        public let label: String
        public let meaning: KioskView.KeyMeaning?
        /// Whether the key shows another language.
        public let isLanguage: Bool

        public init(
            _ role: Role, cap: String, label: String, meaning: KioskView.KeyMeaning? = nil, isLanguage: Bool = false
        ) {
            self.role = role
            self.cap = cap
            self.label = label
            self.meaning = meaning
            self.isLanguage = isLanguage
        }
    }

    /// The keyboard for fingers.
    public struct Keyboard: Sendable, Equatable {
        public static let mostDomains = 3
        /// The digits of a pad as on a telephone, row by row.
        public static let usualPad = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]

        /// Digits, three rows of letters, and signs; empty where digits alone are typed.
        public var rows: [String]
        /// Labels of the keys that show the letters, and the digits alone; empty where the letters always show.
        public var toLetters: String
        public var toDigits: String
        /// Domains of e-mail addresses, each a key.
        public var domains: [String]
        /// Whether the person sees the letters now, not the digits alone.
        public var showsLetters: Bool
        /// The order of the digits when these are alone.
        public var pad = usualPad

        public init(
            rows: [String] = [], toLetters: String = "", toDigits: String = "", domains: [String] = [],
            showsLetters: Bool = false
        ) {
            self.rows = rows
            self.toLetters = toLetters
            self.toDigits = toDigits
            self.domains = domains
            self.showsLetters = showsLetters
        }
    }

    /// Sentences for a view that has no room.
    public struct Excuses: Sendable, Equatable {
        /// The lines that OK agrees to have no room.
        public let facts: String
        /// A page of a document has no room.
        public let document: String
        /// A QR code has no room.
        public let code: String

        public init(facts: String = "", document: String = "", code: String = "") {
            self.facts = facts
            self.document = document
            self.code = code
        }
    }

    /// BCP 47, for example `en`.
    public var language = "en"
    public var stage: KioskStage
    public var tone: Tone
    public var title: String
    public var lines: [Line] = []
    /// See ``KioskView/factCount``.
    public var factCount = 0
    public var document: [Row] = []
    /// Empty without one.
    public var hint = ""
    public var entry: Entry?
    public var isBusy = false
    public var showsPreview = false
    public var keys: [Key] = []
    /// Nil where nothing is typed.
    public var keyboard: Keyboard?
    /// Time left until the view closes if no key is pressed.
    public var countdown: Duration?
    /// See ``KioskView/restStep``.
    public var restStep: Int?
    /// Whether the panel is dark.
    public var isAsleep = false
    public var look = ScreenLook.usual
    public var excuses = Excuses()

    public init(_ stage: KioskStage, _ tone: Tone, title: String) {
        self.stage = stage
        self.tone = tone
        self.title = title
    }
}

extension KioskView {
    /// The meaning of a key, for its colour. Keys that change nothing have none.
    public enum KeyMeaning: String, Sendable, CaseIterable {
        case yes, no, clear
        /// The key deletes.
        case danger
    }

    /// Whether the person holds up a code now. There is no picture if the camera delivers none, and nobody to see it
    /// while the screen rests.
    public var showsPreview: Bool { stage == .scan && tone == .ready && restStep == nil || stage == .card }
}

/// The modules of a QR code with its quiet zone.
public struct ModuleGrid: Sendable, Equatable {
    /// Enough for a code of version 40.
    public static let mostModules = 185

    /// Modules on a side.
    public let side: Int
    /// `side * side` modules, rows from the top.
    public let isDark: [Bool]

    /// - Returns: nil when the number of modules is not that of a square, or too great.
    public init?(side: Int, isDark: [Bool]) {
        guard (1...ModuleGrid.mostModules).contains(side), isDark.count == side * side else { return nil }
        self.side = side
        self.isDark = isDark
    }
}
