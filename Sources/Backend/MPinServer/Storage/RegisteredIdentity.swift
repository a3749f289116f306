// SPDX-License-Identifier: Apache-2.0

package import MPinCrypto

/// An identity that fetched its first share: it may log in until it is blocked or revoked.
package struct RegisteredIdentity: Equatable, Sendable {
    /// As many wrong logins in a row block it: 401, 401, 410.
    package static let maximumFailures: Int64 = 3

    package let mpinID: MPinID
    package let userID: String
    package let registered: WallTime
    /// 128 bytes; nil for an identity of the classic protocol.
    package var publicKey: [UInt8]?
    /// The key that is to take the other one's place, once the device has proved that it has it.
    package var nextPublicKey: [UInt8]?
    /// The identity that this one is to take the place of, once it has proved itself.
    package var replaces: MPinID?
    /// An operator wants the device to take a new secret.
    package var needsRenewal = false
    package var failures: Int64 = 0
    package var lastFailure: WallTime?
    /// When every login that was begun without a verdict will be forgotten; nil when there is none.
    package var begunForgotten: WallTime?
    /// How many there were, so that every verdict changes the stored row, and a disk without room is noticed.
    package var verdicts: Int64 = 0
    /// The wrong logins of the last thirty days, in a row or not.
    package var recentFailures = RecentFailures()
    /// Of the last login with the right PIN; nil when there was none since logins are noted.
    package var lastLogin: WallTime?
    /// When an operator, or its owner, has put it on the list of those that may not log in any more.
    package var revoked: WallTime?
    /// The personal card that ends last of those that it was shown with.
    package var card: StoredCard?
    /// Of the login that is being judged.
    package var lease: JudgingLease?

    package init(
        mpinID: MPinID, userID: String, registered: WallTime, publicKey: [UInt8]? = nil, nextPublicKey: [UInt8]? = nil,
        replaces: MPinID? = nil, needsRenewal: Bool = false, failures: Int64 = 0, lastFailure: WallTime? = nil,
        begunForgotten: WallTime? = nil, verdicts: Int64 = 0, recentFailures: RecentFailures = RecentFailures(),
        lastLogin: WallTime? = nil, revoked: WallTime? = nil, card: StoredCard? = nil, lease: JudgingLease? = nil
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

    /// Whether it is one of the classic protocol, which knows no keys.
    var isClassic: Bool { publicKey == nil }

    /// Returns the identity that secrets are bound to.
    /// - Parameter claimed: the key that the device says it has; nil is the identity's own.
    /// - Returns: nil when it is none of the identity's keys.
    func identity(claiming claimed: [UInt8]?) throws(MPinCryptoError) -> MPinIdentity? {
        guard let claimed = claimed ?? publicKey else { return MPinIdentity(mpinID) }
        guard claimed == publicKey || claimed == nextPublicKey else { return nil }
        return try MPinIdentity(mpinID, claiming: claimed)
    }

    /// Whether its device can take a new secret: those of the classic protocol do not know how.
    var canRenew: Bool { MPinIDText.verification(of: mpinID) != nil }

    package var isBlocked: Bool { failures >= Self.maximumFailures }
    package var isRevoked: Bool { revoked != nil }

    /// Refuses a revoked identity of the classic dialects. The classic servers' documentation says 403, which classic
    /// clients take for a broken request. All of them understand 410.
    func requirePermission() throws(Refusal) { if isRevoked { throw Refusal(410, "Revoked") } }
}

/// Changes that a storage makes to an identity that it has read, before it writes it.
extension RegisteredIdentity {
    package mutating func revoke(now: WallTime) {
        revoked = revoked ?? now
        card = nil
    }

    /// Keeps the card that ends last; none of an identity that is revoked.
    package mutating func keep(_ new: StoredCard) {
        guard !isRevoked, card.map({ $0.ends < new.ends }) ?? true else { return }
        card = new
    }

    /// The identity has proved itself with a key (nil: it has none). If that was expected, it takes the place of the
    /// old one; the identity that this one was made for goes.
    /// - Returns: whether it was proved with one of the identity's keys.
    package mutating func settle(publicKey proved: [UInt8]?) -> Bool {
        guard proved == publicKey || proved == nextPublicKey else { return false }
        // A client may have offered the key that it has: it has taken the next one then.
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
        if let publicKey {
            self.init(mpinID, publicKey: try DVSPublicKey(bytes: publicKey))
        } else {
            self.init(mpinID)
        }
    }
}
