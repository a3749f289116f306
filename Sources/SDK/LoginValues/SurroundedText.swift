// SPDX-License-Identifier: Apache-2.0

// Editors and QR code generators put a line end behind a text, and a byte order mark before it.
extension Span<UInt8> {
    /// The range of the text without blanks, line ends and byte order marks around it.
    package var textRange: Range<Int> {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
        func isMark(at start: Int) -> Bool {
            start >= 0 && start + mark.count <= count && mark.indices.allSatisfy { self[start + $0] == mark[$0] }
        }
        var (start, end) = (0, count)
        while start < end {
            if isBlank(self[start]) { start += 1 } else if isMark(at: start) { start += mark.count } else { break }
        }
        while end > start {
            if isBlank(self[end - 1]) {
                end -= 1
            } else if isMark(at: end - mark.count) {
                end -= mark.count
            } else {
                break
            }
        }
        return start..<Swift.max(start, end)
    }
}

extension SecretBytes {
    /// The text without blanks, line ends and byte order marks around it.
    package var trimmed: SecretBytes {
        withBytes { bytes in SecretBytes(copying: bytes.extracting(bytes.textRange)) }
    }
}
