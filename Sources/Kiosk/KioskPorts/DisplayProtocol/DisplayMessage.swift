// SPDX-License-Identifier: Apache-2.0

/// A message of the display's process to its parent, which treats it as hostile: any violation of the rules ends the
/// child.
public enum DisplayMessage: Sendable, Equatable {
    /// The version of the protocol in `hello`.
    public static let version: UInt16 = 1
    /// The greatest number of rectangles in a message.
    public static let mostKeys = 64

    /// The first message: the version of the protocol, and whether the kernel restricts the process to its files.
    case hello(version: UInt16, confinesFiles: Bool)
    /// The panel's state has changed.
    case panel(PanelState)
    /// The view of that number is on the panel.
    case shown(view: UInt32, leftOut: LeftOut, keys: [KeyPlace])
}

/// The state of a panel.
public enum PanelState: Sendable, Equatable {
    /// The longest reason, in UTF-8 bytes.
    public static let longestReason = 256

    /// No panel is connected, or the device cannot be used.
    case missing(String)
    /// Another program draws there.
    case held
    case shown(Panel)
}

/// A panel and the room on it.
public struct Panel: Sendable, Equatable {
    /// The sides of panels, in pixels.
    public static let sides = 160...8192

    /// In pixels, as the person sees it.
    public let width: Int
    public let height: Int
    /// The largest page of a document; nil when none fits.
    public let documentRoom: DocumentPageSize?
    /// The largest QR code, in modules with its quiet zone.
    public let codeRoom: Int

    public init(width: Int, height: Int, documentRoom: DocumentPageSize?, codeRoom: Int) {
        self.width = width
        self.height = height
        self.documentRoom = documentRoom
        self.codeRoom = codeRoom
    }
}

/// The parts of a view that had no room.
public struct LeftOut: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Lines that OK agrees to.
    public static let facts = LeftOut(rawValue: 1)
    public static let document = LeftOut(rawValue: 2)
    public static let code = LeftOut(rawValue: 4)
    /// Explaining lines.
    public static let explanations = LeftOut(rawValue: 8)
    /// A part of another text.
    public static let words = LeftOut(rawValue: 16)
    public static let keys = LeftOut(rawValue: 32)

    static let all: LeftOut = [.facts, .document, .code, .explanations, .words, .keys]
}

/// The place of a key on the panel, in pixels from its upper left corner.
public struct KeyPlace: Sendable, Hashable {
    public enum Key: Sendable, Hashable {
        /// The key of that index in the view.
        case ofView(Int)
        /// A digit of the pad.
        case digit(Int)
        /// The character of that index on the keyboard, row by row.
        case character(Int)
        /// The domain of that index.
        case domain(Int)
        /// The key that shows letters in place of digits, or digits in place of letters.
        case otherKeyboard
    }

    public let key: Key
    public let x: Int
    public let y: Int
    public let width: Int
    public let height: Int

    public init(_ key: Key, x: Int, y: Int, width: Int, height: Int) {
        self.key = key
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// The first byte of a message.
enum DisplayMessageKind: UInt8 {
    case hello = 1
    case panel = 2
    case shown = 3
}

/// The byte after the kind of a `panel` message.
enum PanelStateCode: UInt8 {
    case missing = 1
    case held = 2
    case shown = 3
}
