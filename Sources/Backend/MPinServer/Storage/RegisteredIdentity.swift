// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import MPinCrypto

/// An identity that fetched its first share: it may log in until it is blocked or revoked.
package struct RegisteredIdentity: Equatable, Sendable {
    /// Number of wrong logins in a row that block the identity: 401, 401, 410.
    package static let maximumFailures: Int64 = 3

    package let mpinID: MPinID
    package let userID: String
    package let registered: WallTime
    /// 128 bytes; nil for an identity of the classic protocol.
    package var publicKey: [UInt8]?
    /// The key that replaces `publicKey` once the device has proved it.
    package var nextPublicKey: [UInt8]?
    /// The identity that this one replaces once it has proved itself.
    package var replaces: MPinID?
    /// An operator wants the device to take a new secret.
    package var needsRenewal = false
    package var failures: Int64 = 0
    package var lastFailure: WallTime?
    /// The time at which every login without a verdict is forgotten; nil when there is none.
    package var begunForgotten: WallTime?
    /// Number of verdicts. It makes every verdict change the stored row, so that a full disk is noticed.
    package var verdicts: Int64 = 0
    /// The wrong logins of the last thirty days, in a row or not.
    package var recentFailures = RecentFailures()
    /// The time of the last login with the right PIN; nil when none is known.
    package var lastLogin: WallTime?
    /// The time at which an operator or its owner revoked it.
    package var revoked: WallTime?
    /// The personal card with the latest end among those used at a login.
    package var card: StoredCard?
    /// The lease of the login that is being checked.
    package var lease: LoginLease?

    package init(
        mpinID: MPinID, userID: String, registered: WallTime, publicKey: [UInt8]? = nil, nextPublicKey: [UInt8]? = nil,
        replaces: MPinID? = nil, needsRenewal: Bool = false, failures: Int64 = 0, lastFailure: WallTime? = nil,
        begunForgotten: WallTime? = nil, verdicts: Int64 = 0, recentFailures: RecentFailures = RecentFailures(),
        lastLogin: WallTime? = nil, revoked: WallTime? = nil, card: StoredCard? = nil, lease: LoginLease? = nil
    ) {
        self.mpinID = mpinID
        self.userID = userID
        self.registered = registered
        self.publicKey = publicKey
        self.nextPublicKey = nextPublicKey
        self.replaces = replaces
        self.needsRenewal = needsRenewal
        self.failures = failures
        self.lastFailure = lastFailure
        self.begunForgotten = begunForgotten
        self.verdicts = verdicts
        self.recentFailures = recentFailures
        self.lastLogin = lastLogin
        self.revoked = revoked
        self.card = card
        self.lease = lease
    }

    /// Whether it belongs to the classic protocol, which has no keys.
    var isClassic: Bool { publicKey == nil }

    /// Returns the identity that secrets are bound to.
    /// - Parameter claimed: the key that the device claims to have; nil for the identity's own.
    /// - Returns: nil when it is not a key of the identity.
    func identity(claiming claimed: [UInt8]?) throws(MPinCryptoError) -> MPinIdentity? {
        guard let claimed = claimed ?? publicKey else { return MPinIdentity(mpinID) }
        guard claimed == publicKey || claimed == nextPublicKey else { return nil }
        return try MPinIdentity(mpinID, claiming: claimed)
    }

    /// Whether its device can take a new secret. Devices of the classic protocol cannot.
    var canRenew: Bool { MPinIDText.verification(of: mpinID) != nil }

    package var isBlocked: Bool { failures >= Self.maximumFailures }
    package var isRevoked: Bool { revoked != nil }

    /// Refuses a revoked identity of the classic dialects. The classic servers' documentation has 403, which classic
    /// clients take for a broken request. All of them understand 410.
    func requirePermission() throws(Refusal) { if isRevoked { throw Refusal(410, "Revoked") } }
}

/// Changes that a storage makes to an identity that it has read, before it writes it.
extension RegisteredIdentity {
    package mutating func revoke(now: WallTime) {
        revoked = revoked ?? now
        card = nil
    }

    /// Stores the card with the latest end. A revoked identity stores none.
    package mutating func keep(_ new: StoredCard) {
        guard !isRevoked, card.map({ $0.ends < new.ends }) ?? true else { return }
        card = new
    }

    /// Makes the key that the device has proved the identity's own, and ends the wait for a replacement.
    /// - Parameter proved: the key; nil for an identity without one.
    /// - Returns: false when it is not a key of the identity.
    package mutating func settle(publicKey proved: [UInt8]?) -> Bool {
        guard proved == publicKey || proved == nextPublicKey else { return false }
        // A client may have offered the key that it has as its next one.
        if proved != nil, proved == nextPublicKey {
            publicKey = proved
            nextPublicKey = nil
            needsRenewal = false
            recentFailures = RecentFailures()
        }
        replaces = nil
        return true
    }
}

extension MPinIdentity {
    /// - Parameter publicKey: nil for an identity of the classic protocol.
    init(_ mpinID: MPinID, claiming publicKey: [UInt8]?) throws(MPinCryptoError) {
        self.init(
            mpinID,
            publicKey: try publicKey.map { bytes throws(MPinCryptoError) in try DVSPublicKey(bytes: bytes) })
    }
}
