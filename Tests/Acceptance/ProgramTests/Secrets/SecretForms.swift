// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A secret in the forms in which a program could leave it: as text, encoded, or as an array.
struct SecretForms {
    /// Sequences of bytes that appear nowhere by accident.
    private let sequences: [[UInt8]]
    /// The text of a number. Within a longer number, such as a time, it means nothing.
    private let number: [UInt8]?

    /// - Parameter secret: six digits at least, or a longer text of ASCII.
    init(_ secret: String) {
        let text = Array(secret.utf8)
        let digits = secret.compactMap(\.wholeNumberValue).map { UInt8($0) }
        let isNumber = digits.count == text.count
        number = isNumber ? text : nil
        let words = isNumber ? [] : [text, Array(secret.uppercased().utf8)]
        let values = isNumber ? [digits] : Self.decoded(text).map { [$0] } ?? []
        sequences = words + values + (values + [text]).flatMap(Self.encodings)
    }

    /// - Parameter key: sixteen bytes at least.
    init(key: [UInt8]) {
        number = nil
        sequences = [key] + Self.encodings(of: key)
    }

    /// Whether a file or a text contains the secret in some form.
    func isIn(_ bytes: [UInt8]) -> Bool {
        if sequences.contains(where: { !Self.places(of: $0, in: bytes, upTo: bytes.count).isEmpty }) { return true }
        guard let number else { return false }
        return Self.places(of: number, in: bytes, upTo: bytes.count).contains { place in
            let end = place + number.count
            let isEndOfANumber = place > 0 && (Self.isDigit(bytes[place - 1]) || bytes[place - 1] == UInt8(ascii: "."))
            return !isEndOfANumber && (end == bytes.count || !Self.isHexadecimal(bytes[end]))
        }
    }

    func isIn(_ text: String) -> Bool { isIn(Array(text.utf8)) }

    /// Indices of the secret, in any form, within the first bytes of a piece of memory.
    func places(in memory: [UInt8], upTo count: Int) -> [Int] {
        (sequences + [number].compactMap(\.self)).flatMap { Self.places(of: $0, in: memory, upTo: count) }
    }

    /// The length of the longest form.
    var maximumLength: Int { sequences.map(\.count).max() ?? 0 }

    // MARK: Forms

    /// Hexadecimal and Base64 text, arrays of wider numbers, little-endian, and arrays as Swift prints them. UTF-16 and
    /// UTF-32 are arrays of wider numbers.
    static func encodings(of bytes: [UInt8]) -> [[UInt8]] {
        let hexadecimal = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let printed = [", ", ","].map { bytes.map { "\($0)" }.joined(separator: $0) }
        return ([hexadecimal, hexadecimal.uppercased()] + printed).map { Array($0.utf8) }
            + [1, 3, 7].map { widened(bytes, by: $0) } + base64(bytes)
    }

    /// The bytes with zeros between them.
    private static func widened(_ bytes: [UInt8], by zeros: Int) -> [UInt8] {
        Array(bytes.map { [$0] }.joined(separator: [UInt8](repeating: 0, count: zeros)))
    }

    /// The characters that are the same wherever the bytes stand in a longer text: three forms, in both alphabets.
    private static func base64(_ bytes: [UInt8]) -> [[UInt8]] {
        (0..<3).flatMap { before -> [[UInt8]] in
            let whole = Data([UInt8](repeating: 0, count: before) + bytes + [0, 0]).base64EncodedString()
            let text = Array(whole.utf8)[(8 * before + 5) / 6..<8 * (before + bytes.count) / 6]
            let url: [UInt8] = text.map { $0 == UInt8(ascii: "+") ? 0x2D : $0 == UInt8(ascii: "/") ? 0x5F : $0 }
            return [Array(text), url]
        }
    }

    /// The bytes of a token in hexadecimal text; nil for any other text.
    private static func decoded(_ text: [UInt8]) -> [UInt8]? {
        guard text.count >= 32, text.count.isMultiple(of: 2), text.allSatisfy(isHexadecimal) else { return nil }
        return stride(from: 0, to: text.count, by: 2).compactMap {
            UInt8(String(decoding: text[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
    }

    // MARK: Search

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    private static func places(of wanted: [UInt8], in bytes: [UInt8], upTo count: Int) -> [Int] {
        var found: [Int] = []
        unsafe bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, let first = wanted.first else { return }
            var place = 0
            while place + wanted.count <= count {
                // Safe: both look at bytes before the end, which the condition has checked.
                let rest = count - wanted.count + 1 - place
                guard let next = unsafe memchr(start + place, Int32(first), rest) else { return }
                place = unsafe start.distance(to: UnsafeRawPointer(next))
                if unsafe memcmp(start + place, wanted, wanted.count) == 0 { found.append(place) }
                place += 1
            }
        }
        return found
    }
}
