// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Reads the fields of one message in order; integers are little-endian.
struct PipeMessageReader {
    private let body: SecretBytes
    private var position = 0

    init(_ body: SecretBytes) {
        self.body = body
    }

    mutating func byte() throws(PipeMessageError) -> UInt8 {
        let start = try take(1)
        return body.withBytes { $0[start] }
    }

    mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(
        _: Value.Type
    ) throws(PipeMessageError) -> Value {
        let width = Value.bitWidth / 8
        let start = try take(width)
        return body.withBytes { bytes in
            var value: Value = 0
            for offset in 0..<width { value |= Value(bytes[start + offset]) << (8 * offset) }
            return value
        }
    }

    mutating func bytes(_ count: Int) throws(PipeMessageError) -> SecretBytes {
        let start = try take(count)
        return body.withBytes { SecretBytes(copying: $0.extracting(start..<start + count)) }
    }

    mutating func nanoseconds() throws(PipeMessageError) -> Duration {
        guard let count = Int64(exactly: try integer(UInt64.self)) else { throw .invalidValue }
        return .nanoseconds(count)
    }

    mutating func flag() throws(PipeMessageError) -> Bool {
        let value = try byte()
        guard value <= 1 else { throw .invalidValue }
        return value == 1
    }

    mutating func count(atMost limit: Int) throws(PipeMessageError) -> Int {
        let count = Int(try byte())
        guard count <= limit else { throw .invalidValue }
        return count
    }

    /// Parts, which their number precedes.
    mutating func list<Part>(
        atMost limit: Int, of part: (inout PipeMessageReader) throws(PipeMessageError) -> Part
    ) throws(PipeMessageError) -> [Part] {
        var parts: [Part] = []
        for _ in 0..<(try count(atMost: limit)) { parts.append(try part(&self)) }
        return parts
    }

    /// One of the values, by its place among them.
    mutating func one<Value>(of values: [Value]) throws(PipeMessageError) -> Value {
        let place = Int(try byte())
        guard place < values.count else { throw .invalidValue }
        return values[place]
    }

    mutating func preview() throws(PipeMessageError) -> PreviewPicture {
        let luma = try bytes(PreviewPicture.width * PreviewPicture.height)
        let outline = try list(atMost: PreviewPicture.corners) { reader throws(PipeMessageError) in
            PixelPoint(x: Int(try reader.integer(UInt16.self)), y: Int(try reader.integer(UInt16.self)))
        }
        let bytes = luma.withBytes { span in span.indices.map { span[$0] } }
        guard let picture = PreviewPicture(luma: bytes, outline: outline) else { throw .invalidValue }
        return picture
    }

    /// Text that is safe for a log or screen: UTF-8 without control characters.
    mutating func printable(atMost limit: Int) throws(PipeMessageError) -> String {
        let count = Int(try integer(UInt16.self))
        guard count <= limit else { throw .invalidValue }
        let start = try take(count)
        let bytes = body.withBytes { all in (start..<start + count).map { all[$0] } }
        guard let text = String(validating: bytes, as: UTF8.self),
            text.unicodeScalars.allSatisfy({ $0.isPrintable })
        else { throw .invalidValue }
        return text
    }

    /// Checks that the message was read to its last byte.
    func end() throws(PipeMessageError) {
        guard position == body.count else { throw .trailingBytes(body.count - position) }
    }

    private mutating func take(_ count: Int) throws(PipeMessageError) -> Int {
        guard count <= body.count - position else { throw .cutOff }
        defer { position += count }
        return position
    }
}
