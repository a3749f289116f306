// SPDX-License-Identifier: Apache-2.0

/// Writes the fields of one message; integers are little-endian.
struct PipeMessageWriter {
    // The length is filled in at the end.
    private var bytes = [UInt8](repeating: 0, count: PipeMessageSplitter.lengthSize)

    mutating func append(_ integer: some FixedWidthInteger & UnsignedInteger) {
        for offset in 0..<(integer.bitWidth / 8) {
            bytes.append(UInt8(truncatingIfNeeded: integer >> (8 * offset)))
        }
    }

    mutating func append(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    mutating func append(_ span: Span<UInt8>) {
        for index in span.indices { bytes.append(span[index]) }
    }

    /// Text that the other side accepts: control characters become spaces, and text beyond the limit is cut.
    mutating func append(printable text: String, atMost limit: Int) {
        var kept: [UInt8] = []
        for scalar in text.unicodeScalars {
            let next = Array(String(scalar.isPrintable ? Character(scalar) : " ").utf8)
            guard kept.count + next.count <= limit else { break }
            kept += next
        }
        append(UInt16(clamping: kept.count))
        bytes += kept
    }

    /// Parts after their number; those beyond the limit are left out.
    mutating func append<Part>(
        _ parts: [Part], atMost limit: Int, encoding encode: (Part, inout PipeMessageWriter) -> Void
    ) {
        let parts = parts.prefix(limit)
        append(UInt8(parts.count))
        for part in parts { encode(part, &self) }
    }

    mutating func append(_ picture: PreviewPicture) {
        append(picture.luma.span)
        append(picture.outline, atMost: PreviewPicture.corners) { corner, writer in
            writer.append(UInt16(clamping: corner.x))
            writer.append(UInt16(clamping: corner.y))
        }
    }

    func framed() -> [UInt8] {
        var message = bytes
        let size = PipeMessageSplitter.lengthSize
        let length = UInt32(clamping: bytes.count - size)
        for offset in 0..<size { message[offset] = UInt8(truncatingIfNeeded: length >> (8 * offset)) }
        return message
    }
}

extension Unicode.Scalar {
    /// Whether it is neither a control character nor one that changes the direction or layout of the text around it.
    var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }
}

extension Duration {
    /// Whole nanoseconds since zero; 0 for a negative duration.
    var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(clamping: seconds) * 1_000_000_000 + UInt64(clamping: attoseconds / 1_000_000_000)
    }
}
