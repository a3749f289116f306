// SPDX-License-Identifier: Apache-2.0

package import Encoding
import Sealing

/// The operator's places, as sets of networks, and what an address says about the location of a browser or device.
///
/// A fresh session exists only in its codes, so the codes contain the page's network as a mark of four bytes. The
/// mark is keyed, so that nobody can search for an address with a given mark.
package struct NetworkPlaces: Sendable {
    /// Whether logins of browsers at another place are refused.
    package let refusesOthers: Bool
    private let networks: [(place: String, network: Network)]
    private let key: SecretBytes

    package init(_ places: [NetworkPlace], refusesOthers: Bool, key: SecretBytes) {
        (self.refusesOthers, self.key) = (refusesOthers, key)
        networks = places.flatMap { place in place.networks.map { (place.name, $0) } }
    }

    /// No configured places.
    /// - Throws: `BackendError.randomnessUnavailable`.
    package init() throws(BackendError) {
        self.init([], refusesOthers: false, key: SecretBytes(try RandomBytes.make(32)))
    }

    package func mark(of address: ClientAddress) -> NetworkMark {
        guard let bytes = Hexadecimal.bytes(address.key), bytes.count == 4 || bytes.count == 8 else { return .unknown }
        if let place = networks.first(where: { $0.network.contains(bytes) })?.place {
            return NetworkMark(.place, digest("place " + place))
        }
        let kind: NetworkMark.Kind =
            if Network.loopback.contains(where: { $0.contains(bytes) }) {
                .loopback
            } else if Network.local.contains(where: { $0.contains(bytes) }) {
                .local
            } else {
                .global
            }
        return NetworkMark(kind, digest("address " + address.key))
    }

    /// The location of a page's browser relative to the device. An operator who refuses browsers at other places gets
    /// those refused whose address nobody knows.
    package func location(of page: NetworkMark, from device: ClientAddress) -> BrowserLocation {
        let device = mark(of: device)
        return switch (page.kind, device.kind) {
        case (.unknown, _), (_, .unknown): refusesOthers ? .other : .unknown
        case (.place, _), (_, .place): page == device ? .same : .other
        // Behind a proxy that is not configured, all addresses are loopback ones.
        case (.loopback, _), (_, .loopback): .unknown
        case (.local, .local): page == device ? .same : .unknown
        default: page == device ? .same : .other
        }
    }

    /// The sentence of a mail that tells an identity's owner where a device was, and the text for its gap.
    package func description(of address: ClientAddress) -> (word: PageWord, place: String) {
        guard let bytes = Hexadecimal.bytes(address.key) else { return (.mailFromUnknown, "") }
        if let place = networks.first(where: { $0.network.contains(bytes) })?.place { return (.mailFromPlace, place) }
        return switch mark(of: address).kind {
        case .global: (.mailFromInternet, "")
        case .local: (.mailFromPrivate, "")
        case .loopback, .unknown, .place: (.mailFromUnknown, "")
        }
    }

    private func digest(_ text: String) -> [UInt8] {
        Array(Digest.hmacSHA256(text, key: key).prefix(NetworkMark.digestLength))
    }
}

/// Networks that make up one place.
package struct NetworkPlace: Sendable {
    package let name: String
    fileprivate let networks: [Network]

    /// - Parameter text: `NAME=NETWORK,...`, for example `library=192.0.2.0/24,2001:db8:7::/48`.
    /// - Throws: `BackendError.invalidConfiguration`.
    package init(_ text: String) throws(BackendError) {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, !halves[0].isEmpty, halves[0].utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
            throw .invalidConfiguration("it has to be NAME=NETWORK,... with a name of visible ASCII characters")
        }
        name = String(halves[0])
        networks = try halves[1].split(separator: ",", omittingEmptySubsequences: false)
            .map { text throws(BackendError) in try Network(String(text)) }
    }

    package func overlaps(_ other: NetworkPlace) -> Bool {
        networks.contains { network in other.networks.contains { $0.overlaps(network) } }
    }
}

/// The location of a browser relative to the device that logs it in.
package enum BrowserLocation: String, Codable, Sendable {
    case same, other, unknown
}

/// The mark in a code that describes the network of its page.
package struct NetworkMark: Hashable, Codable, Sendable {
    package enum Kind: UInt8, Codable {
        case unknown, loopback
        /// A private network, such as 192.168.0.0/16.
        case local
        case global
        /// A place that the operator configured.
        case place
    }

    static let digestLength = 3
    package static let unknown = NetworkMark(.unknown, [UInt8](repeating: 0, count: digestLength))

    package let kind: Kind
    package let digest: [UInt8]

    package init(_ kind: Kind, _ digest: [UInt8]) { (self.kind, self.digest) = (kind, digest) }
}

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

    fileprivate func overlaps(_ other: Network) -> Bool {
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
