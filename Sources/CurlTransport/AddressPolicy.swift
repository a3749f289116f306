// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Which addresses a socket may be opened to, whatever a name resolves to.
///
/// The trust list says which names may be asked; this says that a trusted name does not lead, by a mistake or by an
/// attacker who controls its DNS, to the kiosk itself or to its neighbours on the cable. A host that is this machine by
/// its very spelling (`localhost`, 127.0.0.0/8, `[::1]`) may reach loopback and nothing else, so that http, which is
/// allowed to such hosts alone, never leaves the machine.
public struct AddressPolicy: Sendable, Equatable {
    /// Kiosks stand in intranets, so private networks are in unless taken out. ``AddressClass/unusable`` never is.
    public var allowed: Set<AddressClass>

    public init(allowed: Set<AddressClass> = [.global, .privateNetwork]) {
        self.allowed = allowed
    }

    func allows(_ address: PeerAddress, for origin: Origin) -> Bool {
        let addressClass = address.addressClass
        if origin.isLoopback { return addressClass == .loopback }
        return addressClass != .unusable && allowed.contains(addressClass)
    }
}
