// SPDX-License-Identifier: Apache-2.0

package import Encoding
import Sealing

/// The operator's places, as sets of networks, and the location of a browser or device by its address.
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

    package func mark(of address: ClientAddress) -> NetworkMark {
        let (kind, place) = lookUp(address)
        return switch kind {
        case .unknown: .unknown
        case .place: NetworkMark(kind, digest("place " + place))
        case .loopback, .local, .global: NetworkMark(kind, digest("address " + address.key))
        }
    }

    /// The location of a page's browser relative to the device. Where other places are refused, an unknown address
    /// is treated as one of them.
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

    /// The sentence for a mail to an identity's owner about the location of a device, and the place's name in it.
    package func description(of address: ClientAddress) -> (word: PageWord, place: String) {
        let (kind, place) = lookUp(address)
        return switch kind {
        case .place: (.mailFromPlace, place)
        case .global: (.mailFromInternet, place)
        case .local: (.mailFromPrivate, place)
        case .loopback, .unknown: (.mailFromUnknown, place)
        }
    }

    /// The kind of the network that an address is in.
    /// - Returns: also the place's name; empty for none.
    private func lookUp(_ address: ClientAddress) -> (kind: NetworkMark.Kind, place: String) {
        guard let octets = address.octets else { return (.unknown, "") }
        if let place = networks.first(where: { $0.network.contains(octets) })?.place { return (.place, place) }
        if Network.loopback.contains(where: { $0.contains(octets) }) { return (.loopback, "") }
        return (Network.local.contains { $0.contains(octets) } ? .local : .global, "")
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
