// SPDX-License-Identifier: Apache-2.0

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
        guard halves.count <= 2, let octets = ClientAddress(address)?.octets else {
            throw .invalidConfiguration(
                "a network has to be an address such as 192.0.2.7 or 192.0.2.0/24, not \(text.debugDescription)")
        }
        let bits = octets.count * UInt8.bitWidth
        var claimed: Int? = bits
        // `Int` accepts a plus sign, a network does not.
        if halves.count == 2 { claimed = halves[1].hasPrefix("+") ? nil : Int(halves[1]) }
        guard let length = claimed, (1...bits).contains(length) else {
            let isIPv4 = octets.count == ClientAddress.ipv4Length
            let reason = isIPv4 ? "" : ": of an IPv6 address the first \(bits) bits count"
            throw .invalidConfiguration("the length of the network \(text) has to be 1 to \(bits)" + reason)
        }
        (prefix, self.length) = (octets, length)
        guard (length..<bits).allSatisfy({ Self.bit($0, of: octets) == 0 }) else {
            throw .invalidConfiguration("the network \(text) has bits after its length: \(length) bits count")
        }
    }

    private init(_ prefix: [UInt8], _ length: Int) { (self.prefix, self.length) = (prefix, length) }

    package func contains(_ address: ClientAddress) -> Bool { address.octets.map(contains) ?? false }

    func contains(_ octets: [UInt8]) -> Bool {
        octets.count == prefix.count && Self.agree(octets, prefix, length)
    }

    func overlaps(_ other: Network) -> Bool {
        prefix.count == other.prefix.count && Self.agree(prefix, other.prefix, min(length, other.length))
    }

    private static func agree(_ left: [UInt8], _ right: [UInt8], _ length: Int) -> Bool {
        (0..<length).allSatisfy { bit($0, of: left) == bit($0, of: right) }
    }

    /// - Parameter index: 0 for the first bit.
    /// - Returns: the bit at its place in its octet.
    private static func bit(_ index: Int, of octets: [UInt8]) -> UInt8 {
        octets[index / UInt8.bitWidth] & (0x80 >> UInt8(index % UInt8.bitWidth))
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
