// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import MPinCrypto

/// One identity or open registration, as management commands show it.
package struct BackendUser: Hashable, Sendable {
    package enum Status: String, Hashable, Sendable, CaseIterable {
        /// The mail has not been confirmed.
        case unconfirmed
        /// Confirmed, but the device has not fetched its shares.
        case confirmed
        /// May log in.
        case registered
        /// Three wrong logins in a row.
        case blocked
        /// An operator or the owner has revoked it.
        case revoked
    }

    package let userID: String
    /// The first 16 hexadecimal digits of the mpin_id's SHA-256, which distinguish the devices of a user.
    package let fingerprint: String
    package let status: Status
    /// Wrong logins in a row.
    package let failures: Int
    /// Whether the device can take a new secret. Devices of the classic dialects cannot.
    package let canRenew: Bool
    /// Whether the device will be told to take a new secret at its next login.
    package let needsRenewal: Bool
    /// Whether it was registered with a registration code.
    package let isByCode: Bool
    /// `YYYY-MM-DDTHH:MM:SSZ`: when the identity was registered, or when the registration expires.
    package let since: String
    /// `YYYY-MM-DDTHH:MM:SSZ` of the last login with the right PIN; nil when there was none, or none since a version
    /// that records it.
    package let lastLogin: String?
    /// The personal card with the latest end among those used at a login; nil when none is valid.
    package let card: Card?

    /// The validity of a personal card.
    package struct Card: Hashable, Sendable {
        /// The card's first moment, `YYYY-MM-DDTHH:MM:SSZ`.
        package let issued: String
        package let ends: String
        /// Whether it is valid for 30 days at most.
        package let isTemporary: Bool
    }

    package init(_ identity: RegisteredIdentity, now: WallTime) {
        userID = identity.userID
        fingerprint = identity.mpinID.fingerprint
        status = identity.isRevoked ? .revoked : identity.isBlocked ? .blocked : .registered
        failures = Int(identity.failures)
        canRenew = identity.canRenew
        needsRenewal = identity.needsRenewal
        isByCode = MPinIDText.verification(of: identity.mpinID) == .registrationCode
        since = identity.registered.zonedText
        lastLogin = identity.lastLogin?.zonedText
        card = identity.card.flatMap { now < $0.ends ? $0 : nil }.map {
            Card(issued: $0.issued.zonedText, ends: $0.ends.zonedText, isTemporary: $0.isTemporary)
        }
    }

    package init(_ registration: Registration) {
        userID = registration.userID
        fingerprint = registration.mpinID.fingerprint
        status = registration.active ? .confirmed : .unconfirmed
        failures = 0
        canRenew = false
        needsRenewal = false
        isByCode = false
        since = registration.expires.zonedText
        lastLogin = nil
        card = nil
    }

    /// Orders by user id, as the database compares them, then by time.
    func precedes(_ other: BackendUser) -> Bool {
        guard userID != other.userID else { return since < other.since }
        return userID.utf8.lexicographicallyPrecedes(other.userID.utf8)
    }
}
