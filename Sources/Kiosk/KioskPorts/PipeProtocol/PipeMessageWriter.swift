// SPDX-License-Identifier: Apache-2.0

/// Writes the fields of one message; integers are little-endian.
struct PipeMessageWriter {
    // The length is filled in at the end.
    private var bytes: [UInt8] = [0, 0, 0, 0]

    mutating func append(_ integer: some FixedWidthInteger & UnsignedInteger) {
        for offset in 0..<(integer.bitWidth / 8) {
            bytes.append(UInt8(truncatingIfNeeded: integer >> (8 * offset)))
        }
    }

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

    mutating func append(_ picture: PreviewPicture) {
        append(picture.luma.span)
        append(UInt8(picture.outline.count))
        for corner in picture.outline {
            append(UInt16(clamping: corner.x))
            append(UInt16(clamping: corner.y))
        }
    }

    func framed() -> [UInt8] {
        var message = bytes
        let length = UInt32(clamping: bytes.count - 4)
        for offset in 0..<4 { message[offset] = UInt8(truncatingIfNeeded: length >> (8 * offset)) }
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
