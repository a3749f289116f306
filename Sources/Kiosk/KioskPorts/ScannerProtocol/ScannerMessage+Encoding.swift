// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension ScannerMessage {
    /// The message as bytes for the pipe, preceded by its length.
    public func encoded() -> [UInt8] {
        var writer = PipeMessageWriter()
        switch self {
        case .hello(let version, let confinesFiles):
            writer.append(ScannerMessageKind.hello.rawValue)
            writer.append(version)
            writer.append(confinesFiles)
        case .symbol(let symbol):
            writer.append(ScannerMessageKind.symbol.rawValue)
            writer.append(symbol)
        case .stats(let statistics):
            writer.append(ScannerMessageKind.stats.rawValue)
            writer.append(statistics)
        case .hint(let advice):
            writer.append(ScannerMessageKind.hint.rawValue)
            writer.append(advice.hint?.rawValue ?? 0)
            writer.append(advice.brightness)
            writer.append(advice.sharpness)
        case .health(let health):
            writer.append(ScannerMessageKind.health.rawValue)
            writer.append(health)
        case .preview(let picture):
            writer.append(ScannerMessageKind.preview.rawValue)
            writer.append(picture)
        case .looking: writer.append(ScannerMessageKind.looking.rawValue)
        case .skipped(let trouble):
            writer.append(ScannerMessageKind.skipped.rawValue)
            writer.append(trouble)
        case .taken(let settings):
            writer.append(ScannerMessageKind.taken.rawValue)
            writer.append(settings, atMost: ControlSetting.maximumCount) { setting, writer in
                writer.append(setting.id)
                writer.append(UInt32(bitPattern: setting.value))
                writer.append(setting.kind.rawValue)
            }
        case .passedOver(let reasons):
            writer.append(ScannerMessageKind.passedOver.rawValue)
            writer.append(reasons, atMost: ScannerMessage.maximumPassedOver) {
                $1.append(printable: $0, atMost: ScannerMessage.maximumReason)
            }
        }
        return writer.framed()
    }
}

extension PipeMessageWriter {
    fileprivate mutating func append(_ symbol: Symbol) {
        let sighting = symbol.sighting
        append(sighting.captured.wholeNanoseconds)
        append(UInt16(clamping: sighting.frameWidth))
        append(UInt16(clamping: sighting.frameHeight))
        append(UInt16(clamping: sighting.centreX))
        append(UInt16(clamping: sighting.centreY))
        append(UInt16(clamping: sighting.edge))
        append(sighting.brightness)
        append(sighting.sharpness)
        append(UInt8(clamping: symbol.parts))
        append(UInt16(clamping: symbol.payload.count))
        symbol.payload.withBytes { append($0) }
    }

    fileprivate mutating func append(_ statistics: ScannerStatistics) {
        append(statistics.frames)
        append(statistics.dropped)
        append(statistics.damaged)
        append(statistics.flawed)
        append(statistics.symbols)
        append(statistics.repeats)
        append(statistics.decoding.wholeNanoseconds)
    }

    fileprivate mutating func append(_ health: ScannerHealth) {
        switch health {
        case .running(let camera):
            append(ScannerHealthCode.running.rawValue)
            append(printable: camera, atMost: ScannerHealth.maximumText)
        case .paused: append(ScannerHealthCode.paused.rawValue)
        case .ended: append(ScannerHealthCode.ended.rawValue)
        case .failed(let trouble): append(trouble, after: .failed)
        case .waiting(let trouble): append(trouble, after: .waiting)
        case .outgrown: append(ScannerHealthCode.outgrown.rawValue)
        }
    }

    private mutating func append(_ trouble: ScannerTrouble, after code: ScannerHealthCode) {
        append(code.rawValue)
        append(trouble)
    }

    fileprivate mutating func append(_ trouble: ScannerTrouble) {
        append(trouble.kind.rawValue)
        append(printable: trouble.reason, atMost: ScannerHealth.maximumText)
    }
}
