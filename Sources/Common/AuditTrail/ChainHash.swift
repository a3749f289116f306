// SPDX-License-Identifier: Apache-2.0

import Encoding
import Sealing

/// A SHA-256 digest that binds a line to all lines before it.
public struct ChainHash: Sendable, Hashable, CustomStringConvertible {
    static let length = Digest.length
    /// The hash that the very first line is bound to.
    static let start = ChainHash([UInt8](repeating: 0, count: length))

    private let bytes: [UInt8]

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// - Parameter text: 64 hexadecimal digits, in lower case.
    public init?(_ text: some StringProtocol) { self.init(digits: Array(text.utf8)) }

    init?(digits: some Collection<UInt8>) {
        let text = String(decoding: digits, as: UTF8.self)
        // One spelling of each: capital letters are never written.
        guard let bytes = Hexadecimal.bytes(text), bytes.count == ChainHash.length, Hexadecimal.text(bytes) == text
        else {
            return nil
        }
        self.bytes = bytes
    }

    /// The hash of the line after the one with this hash.
    func next(_ body: some Collection<UInt8>) -> ChainHash { ChainHash.digest(bytes + body) }

    static func digest(_ bytes: [UInt8]) -> ChainHash { ChainHash(Digest.sha256(bytes)) }

    /// 64 hexadecimal digits.
    public var description: String { Hexadecimal.text(bytes) }
}
