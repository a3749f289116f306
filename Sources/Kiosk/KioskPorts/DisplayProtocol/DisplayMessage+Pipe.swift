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
        case .panel: self = .panel(try reader.panelState())
        case .shown:
            let number = try reader.integer(UInt32.self)
            let leftOut = LeftOut(rawValue: try reader.byte())
            guard LeftOut.all.isSuperset(of: leftOut) else { throw .invalidValue }
            var keys: [KeyPlace] = []
            for _ in 0..<(try reader.count(atMost: DisplayMessage.mostKeys)) { keys.append(try reader.keyPlace()) }
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
            writer.append(UInt8(confinesFiles ? 1 : 0))
        case .panel(let state):
            writer.append(DisplayMessageKind.panel.rawValue)
            writer.append(state)
        case .shown(let number, let leftOut, let keys):
            writer.append(DisplayMessageKind.shown.rawValue)
            writer.append(number)
            writer.append(leftOut.rawValue)
            let keys = keys.prefix(DisplayMessage.mostKeys)
            writer.append(UInt8(keys.count))
            for key in keys { writer.append(key) }
        }
        return writer.framed()
    }
}

extension PipeMessageWriter {
    fileprivate mutating func append(_ state: PanelState) {
        switch state {
        case .missing(let reason):
            append(PanelStateCode.missing.rawValue)
            append(printable: reason, atMost: PanelState.longestReason)
        case .held: append(PanelStateCode.held.rawValue)
        case .shown(let panel):
            append(PanelStateCode.shown.rawValue)
            append(UInt16(clamping: panel.width))
            append(UInt16(clamping: panel.height))
            append(UInt8(clamping: panel.documentRoom?.columns ?? 0))
            append(UInt8(clamping: panel.documentRoom?.rows ?? 0))
            append(UInt8(clamping: panel.codeRoom))
        }
    }

    fileprivate mutating func append(_ place: KeyPlace) {
        append(place.key)
        for number in [place.x, place.y, place.width, place.height] { append(UInt16(clamping: number)) }
    }
}

extension PipeMessageReader {
    fileprivate mutating func panelState() throws(PipeMessageError) -> PanelState {
        guard let code = PanelStateCode(rawValue: try byte()) else { throw .invalidValue }
        switch code {
        case .missing: return .missing(try printable(atMost: PanelState.longestReason))
        case .held: return .held
        case .shown:
            let (width, height) = (Int(try integer(UInt16.self)), Int(try integer(UInt16.self)))
            guard Panel.sides.contains(width), Panel.sides.contains(height) else { throw .invalidValue }
            let (columns, rows) = (Int(try byte()), Int(try byte()))
            let smallest = DocumentPageSize.smallest
            guard columns == 0 && rows == 0 || columns >= smallest.columns && rows >= smallest.rows else {
                throw .invalidValue
            }
            let room = columns == 0 ? nil : DocumentPageSize(columns: columns, rows: rows)
            return .shown(Panel(width: width, height: height, documentRoom: room, codeRoom: Int(try byte())))
        }
    }

    fileprivate mutating func keyPlace() throws(PipeMessageError) -> KeyPlace {
        let key = try key()
        var numbers: [Int] = []
        for _ in 0..<4 { numbers.append(Int(try integer(UInt16.self))) }
        let (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
        guard width > 0, height > 0, x + width <= Panel.sides.upperBound, y + height <= Panel.sides.upperBound else {
            throw .invalidValue
        }
        return KeyPlace(key, x: x, y: y, width: width, height: height)
    }
}

extension PipeMessageWriter {
    mutating func append(_ key: KeyPlace.Key) {
        let (kind, number) =
            switch key {
            case .ofView(let index): (0, index)
            case .digit(let digit): (1, digit)
            case .character(let index): (2, index)
            case .domain(let index): (3, index)
            case .otherKeyboard: (4, 0)
            }
        append(UInt8(kind))
        append(UInt8(clamping: number))
    }
}

extension PipeMessageReader {
    mutating func key() throws(PipeMessageError) -> KeyPlace.Key {
        let kind = try byte()
        let number = Int(try byte())
        switch kind {
        case 0: return .ofView(number)
        case 1 where number <= 9: return .digit(number)
        case 2: return .character(number)
        case 3: return .domain(number)
        case 4 where number == 0: return .otherKeyboard
        default: throw .invalidValue
        }
    }
}
