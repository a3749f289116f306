// SPDX-License-Identifier: Apache-2.0

/// Base 64 with padding and without line ends (RFC 4648, section 4).
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        var characters: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        func append(_ sextets: Int) {
            for index in 0..<sextets { characters.append(alphabet[Int(bits >> UInt32(18 - index * 6)) & 63]) }
        }
        for byte in bytes {
            bits |= UInt32(byte) << UInt32(16 - count * 8)
            count += 1
            guard count == 3 else { continue }
            append(4)
            (bits, count) = (0, 0)
        }
        if count > 0 {
            append(count + 1)
            characters += [UInt8](repeating: UInt8(ascii: "="), count: 3 - count)
        }
        return String(decoding: characters, as: UTF8.self)
    }
}
