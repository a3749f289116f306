// SPDX-License-Identifier: Apache-2.0

import Encoding

/// Addresses with a common prefix, such as `192.168.7.0/24` or `2001:db8::/48`.
package struct Network: Sendable {
    private let prefix: [UInt8]
    private let length: Int

    /// - Parameter text: a prefix. An address alone, also in brackets, means one IPv4 address, or the 64 bits of an
    ///   IPv6 household.
    /// - Throws: `BackendError.invalidConfiguration`.
    package init(_ text: String) throws(BackendError) {
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        var address = halves[0]
        if address.hasPrefix("["), address.hasSuffix("]") { address = address.dropFirst().dropLast() }
        guard halves.count <= 2, let bytes = ClientAddress(address).flatMap({ Hexadecimal.bytes($0.key) }) else {
            throw .invalidConfiguration(
                "a network has to be an address such as 192.0.2.7 or 192.0.2.0/24, not \(text.debugDescription)")
        }
        let bits = bytes.count * 8
        let length = halves.count == 1 ? bits : Int(halves[1]).flatMap { halves[1].utf8.first == 0x2b ? nil : $0 }
        guard let length, length <= bits, length > 0 else {
            throw .invalidConfiguration(
                bits == 32
                    ? "the length of the network \(text) has to be 1 to 32"
                    : "the length of the network \(text) has to be 1 to 64: of an IPv6 address the first 64 bits count")
        }
        (prefix, self.length) = (bytes, length)
        guard (length..<bits).allSatisfy({ bytes[$0 / 8] & (0x80 >> UInt8($0 % 8)) == 0 }) else {
            throw .invalidConfiguration("the network \(text) has bits after its length: \(length) bits count")
        }
    }

    private init(_ prefix: [UInt8], _ length: Int) { (self.prefix, self.length) = (prefix, length) }

    package func contains(_ address: ClientAddress) -> Bool { Hexadecimal.bytes(address.key).map(contains) ?? false }

    /// - Parameter address: 4 bytes of IPv4, or the first 8 of IPv6.
    func contains(_ address: [UInt8]) -> Bool {
        address.count == prefix.count && Self.agree(address, prefix, length)
    }

    func overlaps(_ other: Network) -> Bool {
        prefix.count == other.prefix.count && Self.agree(prefix, other.prefix, min(length, other.length))
    }

    private static func agree(_ left: [UInt8], _ right: [UInt8], _ length: Int) -> Bool {
        (0..<length).allSatisfy { (left[$0 / 8] ^ right[$0 / 8]) & (0x80 >> UInt8($0 % 8)) == 0 }
    }

    /// 127.0.0.0/8, ::1
    static let loopback = [Network([127, 0, 0, 0], 8), Network([0, 0, 0, 0, 0, 0, 0, 0], 64)]
    /// RFC 1918, RFC 3927, RFC 6598, RFC 4193, RFC 4291.
    static let local = [
        Network([10, 0, 0, 0], 8), Network([172, 16, 0, 0], 12), Network([192, 168, 0, 0], 16),
        Network([169, 254, 0, 0], 16), Network([100, 64, 0, 0], 10), Network([0xfc, 0, 0, 0, 0, 0, 0, 0], 7),
        Network([0xfe, 0x80, 0, 0, 0, 0, 0, 0], 10),
    ]
}
