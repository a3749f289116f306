// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// A SHA-256 digest that binds a line to all lines before it.
public struct ChainHash: Sendable, Hashable, CustomStringConvertible {
    static let length = 32
    /// The hash that the first line of all is bound to.
    static let start = ChainHash([UInt8](repeating: 0, count: length))

    private let bytes: [UInt8]

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// - Parameter text: 64 hexadecimal digits, in lower case.
    public init?(_ text: some StringProtocol) { self.init(digits: Array(text.utf8)) }

    init?(digits: some Collection<UInt8>) {
        guard digits.count == ChainHash.length * 2 else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in digits {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        self.bytes = bytes
    }

    /// The hash of the line after the one with this hash.
    func next(_ body: some Collection<UInt8>) -> ChainHash { ChainHash.digest(bytes + body) }

    static func digest(_ bytes: [UInt8]) -> ChainHash {
        var digest = [UInt8](repeating: 0, count: length)
        // Safe: both arrays live through the call; the output has the 32 bytes that the function writes.
        let written = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe digest.withUnsafeMutableBufferPointer { output in
                unsafe COpenSSL.SHA256(input.baseAddress, input.count, output.baseAddress) != nil
            }
        }
        precondition(written, "libcrypto offers no SHA-256")
        return ChainHash(digest)
    }

    /// 64 hexadecimal digits.
    public var description: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
