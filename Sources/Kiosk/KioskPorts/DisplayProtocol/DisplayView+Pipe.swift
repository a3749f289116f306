// SPDX-License-Identifier: Apache-2.0

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
    static let capacity = 64
    static let excuse = 320
    static let keyboardRows = 6
    static let keyboardRow = 48
}

/// The properties of a view that are true or false, in one byte.
private struct ViewFlags: OptionSet {
    let rawValue: UInt8

    static let busy = ViewFlags(rawValue: 1)
    static let preview = ViewFlags(rawValue: 2)
    static let asleep = ViewFlags(rawValue: 4)
    static let largeText = ViewFlags(rawValue: 8)
    static let highContrast = ViewFlags(rawValue: 16)

    static let all: ViewFlags = [.busy, .preview, .asleep, .largeText, .highContrast]
}

/// The first byte of an entry.
private enum EntryCode: UInt8 {
    case nothing = 0
    case masked = 1
    case text = 2
    case digits = 3
    case code = 4
}

extension DisplayView {
    private var flags: ViewFlags {
        get {
            var flags: ViewFlags = []
            if isBusy { flags.insert(.busy) }
            if showsPreview { flags.insert(.preview) }
            if isAsleep { flags.insert(.asleep) }
            if look.hasLargeText { flags.insert(.largeText) }
            if look.hasHighContrast { flags.insert(.highContrast) }
            return flags
        }
        set {
            isBusy = newValue.contains(.busy)
            showsPreview = newValue.contains(.preview)
            isAsleep = newValue.contains(.asleep)
            look.hasLargeText = newValue.contains(.largeText)
            look.hasHighContrast = newValue.contains(.highContrast)
        }
    }

    func encode(to writer: inout PipeMessageWriter) {
        writer.append(printable: language, atMost: Bound.language)
        writer.append(UInt8(KioskStage.allCases.firstIndex(of: stage) ?? 0))
        writer.append(UInt8(Tone.allCases.firstIndex(of: tone) ?? 0))
        writer.append(flags.rawValue)
        writer.append(printable: title, atMost: Bound.title)
        writer.append(lines, atMost: Bound.lines) { $0.encode(to: &$1) }
        writer.append(UInt8(min(max(factCount, 0), lines.count, Bound.lines)))
        writer.append(document, atMost: Bound.rows) { $0.encode(to: &$1) }
        writer.append(printable: hint, atMost: Bound.text)
        if let entry { entry.encode(to: &writer) } else { writer.append(EntryCode.nothing.rawValue) }
        writer.append(keys, atMost: Bound.keys) { $0.encode(to: &$1) }
        writer.append(keyboard != nil)
        keyboard?.encode(to: &writer)
        writer.append(countdown.map { $0.wholeNanoseconds } ?? UInt64.max)
        writer.append(restStep.map { UInt32(clamping: $0) } ?? UInt32.max)
        excuses.encode(to: &writer)
    }

    init(from reader: inout PipeMessageReader) throws(PipeMessageError) {
        let language = try reader.printable(atMost: Bound.language)
        let stage = try reader.one(of: KioskStage.allCases)
        let tone = try reader.one(of: Tone.allCases)
        let flags = ViewFlags(rawValue: try reader.byte())
        guard ViewFlags.all.isSuperset(of: flags) else { throw .invalidValue }
        self.init(stage, tone, title: try reader.printable(atMost: Bound.title))
        self.language = language
        self.flags = flags
        lines = try reader.list(atMost: Bound.lines, of: Line.init(from:))
        factCount = try reader.count(atMost: lines.count)
        document = try reader.list(atMost: Bound.rows, of: Row.init(from:))
        hint = try reader.printable(atMost: Bound.text)
        entry = try Entry(from: &reader)
        keys = try reader.list(atMost: Bound.keys, of: Key.init(from:))
        if try reader.flag() { keyboard = try Keyboard(from: &reader) }
        let nanoseconds = try reader.integer(UInt64.self)
        if nanoseconds != .max {
            guard let left = Int64(exactly: nanoseconds) else { throw .invalidValue }
            countdown = .nanoseconds(left)
        }
        let step = try reader.integer(UInt32.self)
        restStep = step == .max ? nil : Int(step)
        excuses = try Excuses(from: &reader)
    }
}

extension DisplayView.Line {
    fileprivate func encode(to writer: inout PipeMessageWriter) {
        writer.append(kind.rawValue)
        writer.append(printable: label, atMost: Bound.label)
        writer.append(printable: text, atMost: Bound.text)
    }

    fileprivate init(from reader: inout PipeMessageReader) throws(PipeMessageError) {
        guard let kind = Kind(rawValue: try reader.byte()) else { throw .invalidValue }
        let label = try reader.printable(atMost: Bound.label)
        self.init(label: label, try reader.printable(atMost: Bound.text), kind: kind)
    }
}

extension DisplayView.Row {
    fileprivate func encode(to writer: inout PipeMessageWriter) {
        var left = Bound.row
        writer.append(pieces, atMost: Bound.pieces) { piece, writer in
            writer.append(piece.isMark)
            writer.append(printable: piece.text, atMost: left)
            left = max(left - piece.text.utf8.count, 0)
        }
    }

    fileprivate init(from reader: inout PipeMessageReader) throws(PipeMessageError) {
        self.init(
            try reader.list(atMost: Bound.pieces) { reader throws(PipeMessageError) in
                let isMark = try reader.flag()
                return Piece(try reader.printable(atMost: Bound.row), isMark: isMark)
            })
    }
}

extension DisplayView.Entry {
    fileprivate func encode(to writer: inout PipeMessageWriter) {
        switch self {
        case .masked(let count, let capacity):
            writer.append(EntryCode.masked.rawValue)
            writer.append(UInt8(clamping: count))
            writer.append(UInt8(clamping: capacity))
        case .text(let text):
            writer.append(EntryCode.text.rawValue)
            writer.append(printable: text, atMost: Bound.text)
        case .digits(let digits):
            writer.append(EntryCode.digits.rawValue)
            writer.append(printable: digits, atMost: Bound.text)
        case .code(let grid):
            writer.append(EntryCode.code.rawValue)
            grid.encode(to: &writer)
        }
    }

    /// - Returns: nil for a view without an entry.
    fileprivate init?(from reader: inout PipeMessageReader) throws(PipeMessageError) {
        guard let code = EntryCode(rawValue: try reader.byte()) else { throw .invalidValue }
        switch code {
        case .nothing: return nil
        case .masked:
            let count = Int(try reader.byte())
            let capacity = Int(try reader.byte())
            guard count <= capacity, capacity <= Bound.capacity else { throw .invalidValue }
            self = .masked(count: count, capacity: capacity)
        case .text: self = .text(try reader.printable(atMost: Bound.text))
        case .digits: self = .digits(try reader.printable(atMost: Bound.text))
        case .code: self = .code(try ModuleGrid(from: &reader))
        }
    }
}

extension ModuleGrid {
    fileprivate func encode(to writer: inout PipeMessageWriter) {
        writer.append(UInt8(clamping: side))
        for start in stride(from: 0, to: isDark.count, by: 8) {
            var byte: UInt8 = 0
            for (bit, module) in isDark[start..<min(start + 8, isDark.count)].enumerated() where module {
                byte |= 1 << UInt8(bit)
            }
            writer.append(byte)
        }
    }

    fileprivate init(from reader: inout PipeMessageReader) throws(PipeMessageError) {
        let side = Int(try reader.byte())
        var isDark: [Bool] = []
        while isDark.count < side * side {
            let byte = try reader.byte()
            for bit in 0..<min(8, side * side - isDark.count) { isDark.append(byte & 1 << UInt8(bit) != 0) }
        }
        guard let grid = ModuleGrid(side: side, isDark: isDark) else { throw .invalidValue }
        self = grid
    }
}

extension DisplayView.Key {
    fileprivate func encode(to writer: inout PipeMessageWriter) {
        writer.append(role.rawValue)
        writer.append(UInt8(meaning.flatMap { KioskView.KeyMeaning.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0))
        writer.append(isLanguage)
        writer.append(printable: cap, atMost: Bound.cap)
        writer.append(printable: label, atMost: Bound.excuse)
    }

    fileprivate init(from reader: inout PipeMessageReader) throws(PipeMessageError) {
        guard let role = Role(rawValue: try reader.byte()) else { throw .invalidValue }
        let code = Int(try reader.byte())
        guard code <= KioskView.KeyMeaning.allCases.count else { throw .invalidValue }
        let isLanguage = try reader.flag()
        let cap = try reader.printable(atMost: Bound.cap)
        self.init(
            role, cap: cap, label: try reader.printable(atMost: Bound.excuse),
            meaning: code == 0 ? nil : KioskView.KeyMeaning.allCases[code - 1], isLanguage: isLanguage)
    }
}

extension DisplayView.Keyboard {
    fileprivate func encode(to writer: inout PipeMessageWriter) {
        writer.append(rows, atMost: Bound.keyboardRows) { $1.append(printable: $0, atMost: Bound.keyboardRow) }
        writer.append(printable: toLetters, atMost: Bound.label)
        writer.append(printable: toDigits, atMost: Bound.label)
        writer.append(showsLetters)
        for digit in pad.prefix(Self.usualPad.count) { writer.append(UInt8(clamping: digit)) }
        writer.append(domains, atMost: Self.mostDomains) { $1.append(printable: $0, atMost: Bound.label) }
    }

    fileprivate init(from reader: inout PipeMessageReader) throws(PipeMessageError) {
        self.init()
        rows = try reader.list(atMost: Bound.keyboardRows) { reader throws(PipeMessageError) in
            try reader.printable(atMost: Bound.keyboardRow)
        }
        toLetters = try reader.printable(atMost: Bound.label)
        toDigits = try reader.printable(atMost: Bound.label)
        showsLetters = try reader.flag()
        for index in pad.indices { pad[index] = Int(try reader.byte()) }
        guard pad.sorted() == Self.usualPad.sorted() else { throw .invalidValue }
        domains = try reader.list(atMost: Self.mostDomains) { reader throws(PipeMessageError) in
            try reader.printable(atMost: Bound.label)
        }
    }
}

extension DisplayView.Excuses {
    fileprivate func encode(to writer: inout PipeMessageWriter) {
        writer.append(printable: facts, atMost: Bound.excuse)
        writer.append(printable: document, atMost: Bound.excuse)
        writer.append(printable: code, atMost: Bound.excuse)
    }

    fileprivate init(from reader: inout PipeMessageReader) throws(PipeMessageError) {
        self.init(
            facts: try reader.printable(atMost: Bound.excuse), document: try reader.printable(atMost: Bound.excuse),
            code: try reader.printable(atMost: Bound.excuse))
    }
}
