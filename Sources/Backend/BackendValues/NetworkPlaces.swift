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
