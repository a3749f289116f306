// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An IP address that a socket is about to connect to.
enum PeerAddress: Equatable {
    case v4(UInt32)
    /// The upper and the lower half.
    case v6(UInt64, UInt64)

    /// - Parameter address: of the family that it names, `length` bytes long.
    /// - Returns: nil for anything but IPv4 and IPv6.
    @unsafe init?(_ address: UnsafeRawPointer, length: Int, family: Int32) {
        // Safe: each load stays within the length that was checked before it.
        switch family {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            self = .v4(UInt32(bigEndian: unsafe address.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr))
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            guard let offset = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) else { return nil }
            self = .v6(
                UInt64(bigEndian: unsafe address.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
                UInt64(bigEndian: unsafe address.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)))
        default: return nil
        }
    }

    /// - Parameter text: as numbers: `192.0.2.1`, `2001:db8::1`.
    init?(_ text: String) {
        var v4 = in_addr()
        // Safe: the call reads the text and writes an address of the given family.
        if unsafe inet_pton(AF_INET, text, &v4) == 1 {
            self = .v4(UInt32(bigEndian: v4.s_addr))
            return
        }
        var bytes = [UInt8](repeating: 0, count: 16)
        guard unsafe inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
        let halves = [0, 8].map { start in bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        self = .v6(halves[0], halves[1])
    }

    /// The IPv4 address that it leads to if it is a translated one, else itself.
    var plain: PeerAddress {
        guard case .v6(let upper, let lower) = self, let address = PeerAddress.embedded(upper, lower) else {
            return self
        }
        return .v4(address)
    }

    var addressClass: AddressClass {
        switch self {
        case .v4(let address): PeerAddress.classify(address)
        case .v6(let upper, let lower): PeerAddress.classify(upper, lower)
        }
    }

    private static func classify(_ address: UInt32) -> AddressClass {
        let networks: [(prefix: UInt32, length: Int, addressClass: AddressClass)] = [
            (0x0000_0000, 8, .unusable), (0x0A00_0000, 8, .privateNetwork), (0x6440_0000, 10, .shared),
            (0x7F00_0000, 8, .loopback), (0xA9FE_0000, 16, .linkLocal), (0xAC10_0000, 12, .privateNetwork),
            (0xC000_0000, 24, .unusable), (0xC0A8_0000, 16, .privateNetwork),
            // Multicast, reserved and broadcast: everything from 224.0.0.0 on.
            (0xE000_0000, 3, .unusable),
        ]
        let network = networks.first { (address ^ $0.prefix) >> (32 - $0.length) == 0 }
        return network?.addressClass ?? .global
    }

    /// The IPv4 address that an IPv6 address leads to: mapped (RFC 4291), NAT64 (RFC 6052), 6to4 (RFC 3056).
    fileprivate static func embedded(_ upper: UInt64, _ lower: UInt64) -> UInt32? {
        if upper == 0, lower >> 32 == 0xFFFF { return UInt32(truncatingIfNeeded: lower) }
        if upper == 0x0064_FF9B_0000_0000, lower >> 32 == 0 { return UInt32(truncatingIfNeeded: lower) }
        if upper >> 48 == 0x2002 { return UInt32(truncatingIfNeeded: upper >> 16) }
        return nil
    }

    private static func classify(_ upper: UInt64, _ lower: UInt64) -> AddressClass {
        if upper == 0, lower == 1 { return .loopback }
        if let address = embedded(upper, lower) { return classify(address) }
        // The network's operator decides the place of the IPv4 address in an address with this prefix.
        if upper >> 16 == 0x0064_FF9B_0001 { return .shared }
        if upper >> 57 == 0xFC >> 1 { return .privateNetwork }
        if upper >> 54 == 0xFE80 >> 6 { return .linkLocal }
        // 2000::/3 is all that was ever given out.
        return upper >> 61 == 1 ? .global : .unusable
    }
}

extension PeerAddress: CustomStringConvertible {
    var description: String {
        switch self {
        case .v4(let address):
            return stride(from: 24, through: 0, by: -8).map { String(address >> $0 & 0xFF) }.joined(separator: ".")
        case .v6(let upper, let lower):
            return [upper, lower].flatMap { half in
                stride(from: 48, through: 0, by: -16).map { String(half >> $0 & 0xFFFF, radix: 16) }
            }.joined(separator: ":")
        }
    }
}
