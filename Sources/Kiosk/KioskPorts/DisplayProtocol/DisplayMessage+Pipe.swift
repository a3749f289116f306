// SPDX-License-Identifier: Apache-2.0

public import LoginValues

extension DisplayMessage: PipeMessage {
    public init?(body: SecretBytes) throws(PipeMessageError) {
        var reader = PipeMessageReader(body)
        guard let kind = DisplayMessageKind(rawValue: try reader.byte()) else { return nil }
        switch kind {
        case .hello:
            let version = try reader.integer(UInt16.self)
            guard version == DisplayMessage.version else { throw .otherVersion(version) }
            self = .hello(version: version, confinesFiles: try reader.flag())
        case .panel: self = .panel(try PanelState(from: &reader))
        case .shown:
            let number = try reader.integer(UInt32.self)
            let leftOut = LeftOut(rawValue: try reader.byte())
            guard LeftOut.all.isSuperset(of: leftOut) else { throw .invalidValue }
            let keys = try reader.list(atMost: DisplayMessage.mostKeys, of: KeyPlace.init(from:))
            self = .shown(view: number, leftOut: leftOut, keys: keys)
        }
        try reader.end()
    }

    public func encoded() -> [UInt8] {
        var writer = PipeMessageWriter()
        switch self {
        case .hello(let version, let confinesFiles):
            writer.append(DisplayMessageKind.hello.rawValue)
            writer.append(version)
            writer.append(confinesFiles)
        case .panel(let state):
            writer.append(DisplayMessageKind.panel.rawValue)
            state.encode(to: &writer)
        case .shown(let number, let leftOut, let keys):
            writer.append(DisplayMessageKind.shown.rawValue)
            writer.append(number)
            writer.append(leftOut.rawValue)
            writer.append(keys, atMost: DisplayMessage.mostKeys) { $0.encode(to: &$1) }
        }
        return writer.framed()
    }
}

extension PanelState {
    fileprivate func encode(to writer: inout PipeMessageWriter) {
        switch self {
        case .missing(let reason):
            writer.append(PanelStateCode.missing.rawValue)
            writer.append(printable: reason, atMost: PanelState.longestReason)
        case .held: writer.append(PanelStateCode.held.rawValue)
        case .shown(let panel):
            writer.append(PanelStateCode.shown.rawValue)
            panel.encode(to: &writer)
        }
    }

    fileprivate init(from reader: inout PipeMessageReader) throws(PipeMessageError) {
        guard let code = PanelStateCode(rawValue: try reader.byte()) else { throw .invalidValue }
        switch code {
        case .missing: self = .missing(try reader.printable(atMost: PanelState.longestReason))
        case .held: self = .held
        case .shown: self = .shown(try Panel(from: &reader))
        }
    }
}

extension Panel {
    fileprivate func encode(to writer: inout PipeMessageWriter) {
        writer.append(UInt16(clamping: width))
        writer.append(UInt16(clamping: height))
        writer.append(UInt8(clamping: documentRoom?.columns ?? 0))
        writer.append(UInt8(clamping: documentRoom?.rows ?? 0))
        writer.append(UInt8(clamping: codeRoom))
    }

    fileprivate init(from reader: inout PipeMessageReader) throws(PipeMessageError) {
        let (width, height) = (Int(try reader.integer(UInt16.self)), Int(try reader.integer(UInt16.self)))
        guard Panel.sides.contains(width), Panel.sides.contains(height) else { throw .invalidValue }
        let (columns, rows) = (Int(try reader.byte()), Int(try reader.byte()))
        let smallest = DocumentPageSize.smallest
        guard columns == 0 && rows == 0 || columns >= smallest.columns && rows >= smallest.rows else {
            throw .invalidValue
        }
        let room = columns == 0 ? nil : DocumentPageSize(columns: columns, rows: rows)
        self.init(width: width, height: height, documentRoom: room, codeRoom: Int(try reader.byte()))
    }
}

extension KeyPlace {
    fileprivate func encode(to writer: inout PipeMessageWriter) {
        key.encode(to: &writer)
        for number in [x, y, width, height] { writer.append(UInt16(clamping: number)) }
    }

    fileprivate init(from reader: inout PipeMessageReader) throws(PipeMessageError) {
        let key = try Key(from: &reader)
        let (x, y) = (Int(try reader.integer(UInt16.self)), Int(try reader.integer(UInt16.self)))
        let (width, height) = (Int(try reader.integer(UInt16.self)), Int(try reader.integer(UInt16.self)))
        guard width > 0, height > 0, x + width <= Panel.sides.upperBound, y + height <= Panel.sides.upperBound else {
            throw .invalidValue
        }
        self.init(key, x: x, y: y, width: width, height: height)
    }
}

/// The first byte of a key.
private enum KeyCode: UInt8 {
    case ofView = 0
    case digit = 1
    case character = 2
    case domain = 3
    case otherKeyboard = 4
}

extension KeyPlace.Key {
    func encode(to writer: inout PipeMessageWriter) {
        let (code, number): (KeyCode, Int) =
            switch self {
            case .ofView(let index): (.ofView, index)
            case .digit(let digit): (.digit, digit)
            case .character(let index): (.character, index)
            case .domain(let index): (.domain, index)
            case .otherKeyboard: (.otherKeyboard, 0)
            }
        writer.append(code.rawValue)
        writer.append(UInt8(clamping: number))
    }

    init(from reader: inout PipeMessageReader) throws(PipeMessageError) {
        guard let code = KeyCode(rawValue: try reader.byte()) else { throw .invalidValue }
        let number = Int(try reader.byte())
        switch code {
        case .ofView: self = .ofView(number)
        case .digit where number <= 9: self = .digit(number)
        case .character: self = .character(number)
        case .domain: self = .domain(number)
        case .otherKeyboard where number == 0: self = .otherKeyboard
        case .digit, .otherKeyboard: throw .invalidValue
        }
    }
}
