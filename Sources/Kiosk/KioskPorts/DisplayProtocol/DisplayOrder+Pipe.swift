// SPDX-License-Identifier: Apache-2.0

public import LoginValues

extension DisplayOrder: PipeMessage {
    public init?(body: SecretBytes) throws(PipeMessageError) {
        var reader = PipeMessageReader(body)
        guard let kind = DisplayOrderKind(rawValue: try reader.byte()) else { return nil }
        switch kind {
        case .settings: self = .settings(try DisplaySettings(from: &reader))
        case .view: self = .view(number: try reader.integer(UInt32.self), try DisplayView(from: &reader))
        case .preview: self = .preview(try reader.preview())
        case .touch:
            let number = try reader.integer(UInt32.self)
            self = .touch(view: number, try reader.flag() ? try KeyPlace.Key(from: &reader) : nil)
        case .stop: self = .stop
        }
        try reader.end()
    }

    public func encoded() -> [UInt8] {
        var writer = PipeMessageWriter()
        switch self {
        case .settings(let settings):
            writer.append(DisplayOrderKind.settings.rawValue)
            settings.encode(to: &writer)
        case .view(let number, let view):
            writer.append(DisplayOrderKind.view.rawValue)
            writer.append(number)
            view.encode(to: &writer)
        case .preview(let picture):
            writer.append(DisplayOrderKind.preview.rawValue)
            writer.append(picture)
        case .touch(let number, let key):
            writer.append(DisplayOrderKind.touch.rawValue)
            writer.append(number)
            writer.append(key != nil)
            key?.encode(to: &writer)
        case .stop: writer.append(DisplayOrderKind.stop.rawValue)
        }
        return writer.framed()
    }

    /// Whether the order arrives unchanged: text without control characters, and no more of it than a message takes.
    public var arrivesWhole: Bool {
        let body = encoded().dropFirst(PipeMessageSplitter.lengthSize)
        guard body.count <= PipeMessageSplitter.maximumLength else { return false }
        return (try? DisplayOrder(body: SecretBytes(copying: body))) == self
    }
}

extension DisplaySettings {
    fileprivate func encode(to writer: inout PipeMessageWriter) {
        writer.append(rotation.rawValue)
        writer.append(UInt8(clamping: scale))
        writer.append(isTouched)
    }

    fileprivate init(from reader: inout PipeMessageReader) throws(PipeMessageError) {
        guard let rotation = Rotation(rawValue: try reader.byte()) else { throw .invalidValue }
        let scale = Int(try reader.byte())
        guard DisplaySettings.scales.contains(scale) else { throw .invalidValue }
        self.init(rotation: rotation, scale: scale, isTouched: try reader.flag())
    }
}
