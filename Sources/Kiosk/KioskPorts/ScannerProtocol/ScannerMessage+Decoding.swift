// SPDX-License-Identifier: Apache-2.0

public import LoginValues

extension ScannerMessage: PipeMessage {
    /// Reads one message without its length.
    ///
    /// - Returns: nil for a kind that this version does not know.
    /// - Throws: when a known kind breaks the rules.
    public init?(body: SecretBytes) throws(PipeMessageError) {
        var reader = PipeMessageReader(body)
        guard let kind = ScannerMessageKind(rawValue: try reader.byte()) else { return nil }
        switch kind {
        case .hello:
            let version = try reader.integer(UInt16.self)
            guard version == ScannerMessage.version else { throw .otherVersion(version) }
            self = .hello(version: version, confinesFiles: try reader.flag())
        case .symbol: self = .symbol(try reader.symbol())
        case .hint: self = .hint(try reader.advice())
        case .stats: self = .stats(try reader.statistics())
        case .health: self = .health(try reader.health())
        case .preview: self = .preview(try reader.preview())
        case .looking: self = .looking
        case .skipped: self = .skipped(try reader.trouble())
        case .taken: self = .taken(try reader.settings())
        case .passedOver: self = .passedOver(try reader.reasons())
        }
        try reader.end()
    }
}

extension PipeMessageReader {
    fileprivate mutating func advice() throws(PipeMessageError) -> ScannerAdvice {
        let code = try byte()
        let hint = ScannerHint(rawValue: code)
        guard hint != nil || code == 0 else { throw .invalidValue }
        return ScannerAdvice(hint: hint, brightness: try byte(), sharpness: try byte())
    }

    fileprivate mutating func statistics() throws(PipeMessageError) -> ScannerStatistics {
        var statistics = ScannerStatistics()
        statistics.frames = try integer(UInt64.self)
        statistics.dropped = try integer(UInt64.self)
        statistics.damaged = try integer(UInt64.self)
        statistics.flawed = try integer(UInt64.self)
        statistics.symbols = try integer(UInt64.self)
        statistics.repeats = try integer(UInt64.self)
        statistics.decoding = try nanoseconds()
        return statistics
    }

    fileprivate mutating func health() throws(PipeMessageError) -> ScannerHealth {
        guard let code = ScannerHealthCode(rawValue: try byte()) else { throw .invalidValue }
        switch code {
        case .running: return .running(camera: try printable(atMost: ScannerHealth.maximumText))
        case .paused: return .paused
        case .ended: return .ended
        case .failed: return .failed(try trouble())
        case .waiting: return .waiting(try trouble())
        case .outgrown: return .outgrown
        }
    }

    fileprivate mutating func trouble() throws(PipeMessageError) -> ScannerTrouble {
        guard let kind = ScannerTrouble.Kind(rawValue: try byte()) else { throw .invalidValue }
        return ScannerTrouble(kind, try printable(atMost: ScannerHealth.maximumText))
    }

    fileprivate mutating func settings() throws(PipeMessageError) -> [ControlSetting] {
        try list(atMost: ControlSetting.maximumCount) { reader throws(PipeMessageError) in
            let (id, value) = (try reader.integer(UInt32.self), Int32(bitPattern: try reader.integer(UInt32.self)))
            guard let kind = ControlSetting.Kind(rawValue: try reader.byte()) else { throw .invalidValue }
            return ControlSetting(id: id, value: value, kind: kind)
        }
    }

    fileprivate mutating func reasons() throws(PipeMessageError) -> [String] {
        try list(atMost: ScannerMessage.maximumPassedOver) { reader throws(PipeMessageError) in
            try reader.printable(atMost: ScannerMessage.maximumReason)
        }
    }

    fileprivate mutating func symbol() throws(PipeMessageError) -> Symbol {
        let captured = try nanoseconds()
        let frameWidth = Int(try integer(UInt16.self))
        let frameHeight = Int(try integer(UInt16.self))
        let centreX = Int(try integer(UInt16.self))
        let centreY = Int(try integer(UInt16.self))
        let edge = Int(try integer(UInt16.self))
        let brightness = try byte()
        let sharpness = try byte()
        guard (1...Frame.maximumSide).contains(frameWidth), (1...Frame.maximumSide).contains(frameHeight),
            centreX < frameWidth, centreY < frameHeight, edge <= Frame.maximumSide * 2
        else { throw .invalidValue }
        let parts = Int(try byte())
        let count = Int(try integer(UInt16.self))
        let sighting = SymbolSighting(
            captured: captured, frameWidth: frameWidth, frameHeight: frameHeight, centreX: centreX, centreY: centreY,
            edge: edge, brightness: brightness, sharpness: sharpness)
        guard let symbol = Symbol(payload: try bytes(count), parts: parts, sighting: sighting) else {
            throw .invalidValue
        }
        return symbol
    }
}
