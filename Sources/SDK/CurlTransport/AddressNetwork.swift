// SPDX-License-Identifier: Apache-2.0

/// The addresses that begin with the same bits, such as `100.64.0.0/10` or `64:ff9b:1::/48`.
public struct AddressNetwork: Sendable, Equatable, CustomStringConvertible {
    private let address: PeerAddress
    private let length: Int
    /// The network's text, as it was given.
    public let description: String

    /// - Parameter text: an address, or one with the number of bits that are compared; the others have to be 0.
    /// - Returns: nil for anything else.
    public init?(_ text: String) {
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count <= 2, let address = PeerAddress(String(halves[0])) else { return nil }
        let longest = if case .v4 = address { 32 } else { 128 }
        var length = longest
        if halves.count == 2 {
            guard (1...3).contains(halves[1].utf8.count), halves[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(halves[1]), number <= longest
            else { return nil }
            length = number
        }
        guard address.prefix(length) == address else { return nil }
        (self.address, self.length, description) = (address, length, text)
    }

    /// A translated address is treated as the address that it leads to.
    func contains(_ other: PeerAddress) -> Bool {
        [other, other.plain].contains { $0.prefix(length) == address }
    }
}

extension PeerAddress {
    /// The address with zeros behind its first bits.
    fileprivate func prefix(_ length: Int) -> PeerAddress {
        switch self {
        // Shifts by more bits than there are leave nothing.
        case .v4(let address): .v4(address & ~(UInt32.max >> length))
        case .v6(let upper, let lower):
            .v6(upper & ~(UInt64.max >> length), lower & ~(UInt64.max >> max(length - 64, 0)))
        }
    }
}
