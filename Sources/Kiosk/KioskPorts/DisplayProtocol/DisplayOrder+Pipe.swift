// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// The bounds of a view on the pipe. A longer one arrives cut, so that it differs from what was sent.
private enum Bound {
    static let title = 512
    static let label = 128
    static let text = 640
    static let lines = 24
    static let rows = 32
    static let pieces = 128
    static let row = 640
    static let cap = 64
    static let keys = 24
    static let language = 16
    static let excuse = 320
    static let keyboardRows = 6
    static let keyboardRow = 48
}

extension DisplayOrder: PipeMessage {
    public init?(body: SecretBytes) throws(PipeMessageError) {
        var reader = PipeMessageReader(body)
        guard let kind = DisplayOrderKind(rawValue: try reader.byte()) else { return nil }
        switch kind {
        case .settings: self = .settings(try reader.displaySettings())
        case .view: self = .view(number: try reader.integer(UInt32.self), try reader.displayView())
        case .preview: self = .preview(try reader.preview())
        case .touch:
            let number = try reader.integer(UInt32.self)
            self = .touch(view: number, try reader.flag() ? try reader.key() : nil)
        case .stop: self = .stop
        }
        try reader.end()
    }

    public func encoded() -> [UInt8] {
        var writer = PipeMessageWriter()
        switch self {
        case .settings(let settings):
            writer.append(DisplayOrderKind.settings.rawValue)
            writer.append(settings.rotation.rawValue)
            writer.append(UInt8(clamping: settings.scale))
            writer.append(UInt8(settings.isTouched ? 1 : 0))
        case .view(let number, let view):
            writer.append(DisplayOrderKind.view.rawValue)
            writer.append(number)
            writer.append(view)
        case .preview(let picture):
            writer.append(DisplayOrderKind.preview.rawValue)
            writer.append(picture)
        case .touch(let number, let key):
            writer.append(DisplayOrderKind.touch.rawValue)
            writer.append(number)
            writer.append(UInt8(key == nil ? 0 : 1))
            if let key { writer.append(key) }
        case .stop: writer.append(DisplayOrderKind.stop.rawValue)
        }
        return writer.framed()
    }

    /// Whether the order arrives unchanged: text without control characters, and no more of it than a message takes.
    public var arrivesWhole: Bool {
        let bytes = encoded()
        guard bytes.count - 4 <= PipeMessageSplitter.maximumLength else { return false }
        return (try? DisplayOrder(body: SecretBytes(copying: bytes.dropFirst(4)))) == self
    }
}

extension PipeMessageWriter {
    fileprivate mutating func append(_ view: DisplayView) {
        append(printable: view.language, atMost: Bound.language)
        append(UInt8(KioskStage.allCases.firstIndex(of: view.stage) ?? 0))
        append(UInt8(Tone.allCases.firstIndex(of: view.tone) ?? 0))
        let flags = [
            view.isBusy, view.showsPreview, view.isAsleep, view.look.hasLargeText, view.look.hasHighContrast,
        ]
        append(flags.enumerated().reduce(UInt8(0)) { $0 | ($1.element ? 1 << UInt8($1.offset) : 0) })
        append(printable: view.title, atMost: Bound.title)
        let lines = view.lines.prefix(Bound.lines)
        append(UInt8(lines.count))
        for line in lines {
            append(line.kind.rawValue)
            append(printable: line.label, atMost: Bound.label)
            append(printable: line.text, atMost: Bound.text)
        }
        append(UInt8(min(max(view.factCount, 0), lines.count)))
        let rows = view.document.prefix(Bound.rows)
        append(UInt8(rows.count))
        for row in rows { append(row) }
        append(printable: view.hint, atMost: Bound.text)
        append(view.entry)
        let keys = view.keys.prefix(Bound.keys)
        append(UInt8(keys.count))
        for key in keys {
            append(key.role.rawValue)
            append(UInt8(key.meaning.flatMap { KioskView.KeyMeaning.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0))
            append(UInt8(key.isLanguage ? 1 : 0))
            append(printable: key.cap, atMost: Bound.cap)
            append(printable: key.label, atMost: Bound.excuse)
        }
        append(view.keyboard)
        append(view.countdown.map { $0.wholeNanoseconds } ?? UInt64.max)
        append(view.restStep.map { UInt32(clamping: $0) } ?? UInt32.max)
        append(printable: view.excuses.facts, atMost: Bound.excuse)
        append(printable: view.excuses.document, atMost: Bound.excuse)
        append(printable: view.excuses.code, atMost: Bound.excuse)
    }

    private mutating func append(_ keyboard: DisplayView.Keyboard?) {
        append(UInt8(keyboard == nil ? 0 : 1))
        guard let keyboard else { return }
        let rows = keyboard.rows.prefix(Bound.keyboardRows)
        append(UInt8(rows.count))
        for row in rows { append(printable: row, atMost: Bound.keyboardRow) }
        append(printable: keyboard.toLetters, atMost: Bound.label)
        append(printable: keyboard.toDigits, atMost: Bound.label)
        append(UInt8(keyboard.showsLetters ? 1 : 0))
        for digit in keyboard.pad.prefix(10) { append(UInt8(clamping: digit)) }
        let domains = keyboard.domains.prefix(DisplayView.Keyboard.mostDomains)
        append(UInt8(domains.count))
        for domain in domains { append(printable: domain, atMost: Bound.label) }
    }

    private mutating func append(_ row: DisplayView.Row) {
        let pieces = row.pieces.prefix(Bound.pieces)
        append(UInt8(pieces.count))
        var left = Bound.row
        for piece in pieces {
            append(UInt8(piece.isMark ? 1 : 0))
            append(printable: piece.text, atMost: left)
            left = max(left - piece.text.utf8.count, 0)
        }
    }

    private mutating func append(_ entry: DisplayView.Entry?) {
        switch entry {
        case nil: append(UInt8(0))
        case .masked(let count, let capacity):
            append(UInt8(1))
            append(UInt8(clamping: count))
            append(UInt8(clamping: capacity))
        case .text(let text):
            append(UInt8(2))
            append(printable: text, atMost: Bound.text)
        case .digits(let digits):
            append(UInt8(3))
            append(printable: digits, atMost: Bound.text)
        case .code(let grid):
            append(UInt8(4))
            append(UInt8(clamping: grid.side))
            for start in stride(from: 0, to: grid.isDark.count, by: 8) {
                var byte: UInt8 = 0
                for (bit, isDark) in grid.isDark[start..<min(start + 8, grid.isDark.count)].enumerated() where isDark {
                    byte |= 1 << UInt8(bit)
                }
                append(byte)
            }
        }
    }
}

extension PipeMessageReader {
    fileprivate mutating func displaySettings() throws(PipeMessageError) -> DisplaySettings {
        guard let rotation = DisplaySettings.Rotation(rawValue: try byte()) else { throw .invalidValue }
        let scale = Int(try byte())
        guard DisplaySettings.scales.contains(scale) else { throw .invalidValue }
        return DisplaySettings(rotation: rotation, scale: scale, isTouched: try flag())
    }

    fileprivate mutating func displayView() throws(PipeMessageError) -> DisplayView {
        let language = try printable(atMost: Bound.language)
        let stage = try one(of: KioskStage.allCases)
        let tone = try one(of: Tone.allCases)
        let flags = try byte()
        guard flags < 32 else { throw .invalidValue }
        var view = DisplayView(stage, tone, title: try printable(atMost: Bound.title))
        view.language = language
        (view.isBusy, view.showsPreview, view.isAsleep) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0)
        view.look = ScreenLook(hasLargeText: flags & 8 != 0, hasHighContrast: flags & 16 != 0)
        for _ in 0..<(try count(atMost: Bound.lines)) {
            guard let kind = DisplayView.Line.Kind(rawValue: try byte()) else { throw .invalidValue }
            let label = try printable(atMost: Bound.label)
            view.lines.append(DisplayView.Line(label: label, try printable(atMost: Bound.text), kind: kind))
        }
        view.factCount = try count(atMost: view.lines.count)
        for _ in 0..<(try count(atMost: Bound.rows)) {
            var pieces: [DisplayView.Row.Piece] = []
            for _ in 0..<(try count(atMost: Bound.pieces)) {
                let isMark = try flag()
                pieces.append(DisplayView.Row.Piece(try printable(atMost: Bound.row), isMark: isMark))
            }
            view.document.append(DisplayView.Row(pieces))
        }
        view.hint = try printable(atMost: Bound.text)
        view.entry = try displayEntry()
        for _ in 0..<(try count(atMost: Bound.keys)) { view.keys.append(try displayKey()) }
        view.keyboard = try displayKeyboard()
        let countdown = try integer(UInt64.self)
        if countdown != .max {
            guard let nanoseconds = Int64(exactly: countdown) else { throw .invalidValue }
            view.countdown = .nanoseconds(nanoseconds)
        }
        let step = try integer(UInt32.self)
        view.restStep = step == .max ? nil : Int(step)
        view.excuses = DisplayView.Excuses(
            facts: try printable(atMost: Bound.excuse), document: try printable(atMost: Bound.excuse),
            code: try printable(atMost: Bound.excuse))
        return view
    }

    private mutating func displayKeyboard() throws(PipeMessageError) -> DisplayView.Keyboard? {
        guard try flag() else { return nil }
        var keyboard = DisplayView.Keyboard()
        for _ in 0..<(try count(atMost: Bound.keyboardRows)) {
            keyboard.rows.append(try printable(atMost: Bound.keyboardRow))
        }
        keyboard.toLetters = try printable(atMost: Bound.label)
        keyboard.toDigits = try printable(atMost: Bound.label)
        keyboard.showsLetters = try flag()
        keyboard.pad = []
        for _ in 0..<10 { keyboard.pad.append(Int(try byte())) }
        guard keyboard.pad.sorted() == Array(0...9) else { throw .invalidValue }
        for _ in 0..<(try count(atMost: DisplayView.Keyboard.mostDomains)) {
            keyboard.domains.append(try printable(atMost: Bound.label))
        }
        return keyboard
    }

    private mutating func displayKey() throws(PipeMessageError) -> DisplayView.Key {
        guard let role = DisplayView.Key.Role(rawValue: try byte()) else { throw .invalidValue }
        let code = Int(try byte())
        guard code <= KioskView.KeyMeaning.allCases.count else { throw .invalidValue }
        let isLanguage = try flag()
        let cap = try printable(atMost: Bound.cap)
        return DisplayView.Key(
            role, cap: cap, label: try printable(atMost: Bound.excuse),
            meaning: code == 0 ? nil : KioskView.KeyMeaning.allCases[code - 1], isLanguage: isLanguage)
    }

    private mutating func displayEntry() throws(PipeMessageError) -> DisplayView.Entry? {
        switch try byte() {
        case 0: return nil
        case 1:
            let count = Int(try byte())
            let capacity = Int(try byte())
            guard count <= capacity, capacity <= 64 else { throw .invalidValue }
            return .masked(count: count, capacity: capacity)
        case 2: return .text(try printable(atMost: Bound.text))
        case 3: return .digits(try printable(atMost: Bound.text))
        case 4:
            let side = Int(try byte())
            var isDark: [Bool] = []
            while isDark.count < side * side {
                let byte = try byte()
                for bit in 0..<min(8, side * side - isDark.count) { isDark.append(byte & 1 << UInt8(bit) != 0) }
            }
            guard let grid = ModuleGrid(side: side, isDark: isDark) else { throw .invalidValue }
            return .code(grid)
        default: throw .invalidValue
        }
    }
}
