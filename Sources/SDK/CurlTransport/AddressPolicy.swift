// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Addresses that a socket may be opened to, for every host.
///
/// The trust list names the hosts that requests may go to. This policy keeps a trusted name from leading to the kiosk
/// itself or to its neighbours on the cable, by a mistake or by an attacker who controls the name's DNS. A host that
/// names this machine by its spelling (`localhost`, 127.0.0.0/8, `[::1]`) may reach only loopback addresses. So http,
/// which is allowed only to such hosts, never leaves the machine.
public struct AddressPolicy: Sendable, Equatable {
    /// Kiosks stand in intranets, so private networks are in unless taken out. ``AddressClass/unusable`` never is.
    public var allowed: Set<AddressClass>
    /// Allowed networks of any class, such as an overlay network's 100.64.0.0/10.
    public var networks: [AddressNetwork]

    /// Makes a policy. A host that names this machine by its spelling is not affected.
    ///
    /// - Parameters:
    ///   - allowed: the classes of allowed addresses; by default the public internet and private networks.
    ///     ``AddressClass/unusable`` has no effect.
    ///   - networks: further networks that are allowed, but for their unusable addresses; by default none.
    public init(allowed: Set<AddressClass> = [.global, .privateNetwork], networks: [AddressNetwork] = []) {
        self.allowed = allowed
        self.networks = networks
    }

    func allows(_ address: PeerAddress, for origin: Origin) -> Bool {
        let addressClass = address.addressClass
        if origin.isLoopback { return addressClass == .loopback }
        guard addressClass != .unusable else { return false }
        return allowed.contains(addressClass) || networks.contains { $0.contains(address) }
    }
}

/// The kind of network that an IP address belongs to, by its number (IANA special-purpose address registries, RFC
/// 6890).
public enum AddressClass: String, Sendable, Hashable, CaseIterable {
    /// The public internet.
    case global
    /// An intranet: 10/8, 172.16/12, 192.168/16 (RFC 1918), fc00::/7 (RFC 4193).
    case privateNetwork
    /// Addresses behind a provider's address translation, 100.64/10 (RFC 6598), which overlay networks use too, or
    /// behind the network's own, 64:ff9b:1::/48 (RFC 8215).
    case shared
    /// The cable itself, 169.254/16 and fe80::/10: among others the metadata services of clouds.
    case linkLocal
    /// This machine.
    case loopback
    /// Addresses that no server can have: unspecified, multicast, broadcast, reserved.
    case unusable
}
