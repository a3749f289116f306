// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Takes a PGM file's fields in order.
struct PGMReader {
    private let bytes: [UInt8]
    private let place: String
    private var position = 0

    init(_ bytes: [UInt8], place: String) {
        self.bytes = bytes
        self.place = place
    }

    var remaining: Int { bytes.count - position }

    mutating func magicIsPlain() throws(FrameSourceError) -> Bool {
        let magic = bytes.prefix(2)
        position = 2
        if magic.elementsEqual("P5".utf8) { return false }
        if magic.elementsEqual("P2".utf8) { return true }
        throw FrameSourceError(
            .unsupportedFormat, at: place, problem: "is no grey netpbm picture", remedy: "convert it to PGM (P5 or P2)")
    }

    /// A decimal number of at most seven digits, after blanks and comments.
    mutating func number() throws(FrameSourceError) -> Int {
        while let byte = peek() {
            if byte == UInt8(ascii: "#") {
                while let next = peek(), next != UInt8(ascii: "\n") { position += 1 }
            } else if PGMReader.isBlank(byte) {
                position += 1
            } else {
                break
            }
        }
        let start = position
        var value = 0
        while let byte = peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), position - start < 7 {
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
            position += 1
        }
        guard position > start else { throw malformed("has no number where one must stand") }
        return value
    }

    /// Exactly one blank stands between the header and the pixels.
    mutating func skipSeparator() throws(FrameSourceError) {
        guard let byte = peek(), PGMReader.isBlank(byte) else { throw malformed("has a header that does not end") }
        position += 1
    }

    /// The caller has checked that it is there.
    mutating func byte() -> Int {
        defer { position += 1 }
        return Int(bytes[position])
    }

    func malformed(_ problem: String) -> FrameSourceError {
        FrameSourceError(.malformed, at: place, problem: "is a PGM that \(problem)", remedy: "save the picture again")
    }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
