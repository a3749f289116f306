// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoginValues

/// Secret lines, read from a descriptor byte by byte: nothing beyond a line is read, and nothing of it stays in a
/// buffer or a `String`.
struct SecretLines {
    /// Longer than any valid line.
    static let maximumLength = 4096

    let descriptor: Int32

    /// The next line without its end, or nil when there is none, or it is empty or too long.
    func next() -> SecretBytes? {
        let line = nextOrEmpty()
        return line?.count == 0 ? nil : line
    }

    /// The next line without its end, or nil when there is none or it is too long.
    func nextOrEmpty() -> SecretBytes? {
        var (length, isEnded) = (0, false)
        let line = SecretBytes(count: SecretLines.maximumLength) { line in
            while length < SecretLines.maximumLength, let byte = nextByte() {
                isEnded = byte == UInt8(ascii: "\n")
                if isEnded { break }
                line[length] = byte
                length += 1
            }
        }
        guard length > 0 || isEnded, length < SecretLines.maximumLength else { return nil }
        return line.withBytes { bytes in
            let end = length > 0 && bytes[length - 1] == UInt8(ascii: "\r") ? length - 1 : length
            return SecretBytes(copying: bytes.extracting(0..<end))
        }
    }

    private func nextByte() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            // Safe: the call writes one byte to a variable of that size.
            let count = unsafe read(descriptor, &byte, 1)
            if count == 1 { return byte }
            guard count < 0, errno == EINTR else { return nil }
        }
    }
}

extension Pin {
    /// Reads a PIN from a line of digits.
    ///
    /// - Returns: nil unless the line is four to six digits.
    init?(line: SecretBytes) {
        guard Pin.lengths.contains(line.count) else { return nil }
        var entry = PinEntry()
        let isDigits = line.withBytes { digits in
            digits.indices.allSatisfy { index in
                digits[index] >= UInt8(ascii: "0") && entry.append(digits[index] - UInt8(ascii: "0"))
            }
        }
        guard isDigits else { return nil }
        self.init(entry)
    }
}
