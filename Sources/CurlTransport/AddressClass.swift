// SPDX-License-Identifier: Apache-2.0

/// Where an IP address leads, as far as its number tells (IANA special-purpose address registries, RFC 6890).
public enum AddressClass: String, Sendable, Hashable, CaseIterable {
    /// The public internet.
    case global
    /// An intranet: 10/8, 172.16/12, 192.168/16 (RFC 1918), fc00::/7 (RFC 4193).
    case privateNetwork
    /// Behind a provider's address translation, 100.64/10 (RFC 6598); overlay networks use it too.
    case shared
    /// The cable itself, 169.254/16 and fe80::/10: among others the metadata services of clouds.
    case linkLocal
    /// This machine.
    case loopback
    /// Nothing that a server can have: unspecified, multicast, broadcast, reserved.
    case unusable
}
