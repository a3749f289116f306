// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Encoding
import MPinCrypto

/// Identities that were registered with a registration code. Their owner gets a mail, and can revoke them.
extension Platform {
    /// Number of a user's identities that may log in.
    private func devices(of userID: String) async throws -> Int {
        try await storage.durable.identities(IdentitySelection(userID: userID)).count { !$0.isRevoked }
    }

    /// Mails the owner before the identity is stored: without the mail there must be no identity.
    func tellOwner(of mpinID: MPinID, userID: String, at mount: PlatformMount, now: WallTime) async throws {
        let link = RevocationLink(
            mpinID: mpinID, expires: now + RevocationLink.lifetime, credentials: credentials)
        let others = try await devices(of: userID)
        let short = try await outbox.links.short(link.url(on: try await mount.url), at: mount, until: link.expires)
        let words = PageWords.current
        let notice = MailNotice(
            kind: .newDevice, subject: words.plain(.mailDeviceSubject),
            sentences: [
                words.plain(.mailDevice, ["user": userID, "site": site.name, "time": now.zonedText]),
                words.plain(.mailOtherDevices, ["count": "\(others)"]), words.plain(.mailYou),
            ],
            link: MailNotice.Link(
                url: short, words: words.plain(.mailEndDevice, ["count": "\(RevocationLink.days)"])))
        try await outbox.send(
            ActivationMail(recipient: userID, siteName: site.name, content: .notice(notice), sent: now))
    }

    /// Revokes identities after the owner pressed a button on the mail's page.
    ///
    /// It revokes everything that codes registered since then: a renewed identity has another mpin_id, and one that
    /// logs in can make one that signs.
    /// - Parameter everything: whether all of the user's devices are revoked.
    /// - Returns: number of revoked identities; 0 for a link that is invalid, expired or used.
    package func revoke(_ link: RevocationLink, everything: Bool) async throws -> Int {
        let now = clock.now
        guard link.isValid(now: now, credentials: credentials), let userID = link.userID else { return 0 }
        let sent = link.expires - RevocationLink.lifetime
        let theirs = try await storage.durable.identities(IdentitySelection(userID: userID))
        func isMeant(_ identity: RegisteredIdentity) -> Bool {
            let verification = MPinIDText.verification(of: identity.mpinID)
            return identity.mpinID == link.mpinID
                || identity.registered >= sent && (verification == .registrationCode || verification == .signing)
        }
        // The link works once: if the identities of the mail are already revoked or gone, it revokes nothing else.
        guard theirs.contains(where: { !$0.isRevoked && isMeant($0) }) else { return 0 }
        var count = 0
        for identity in theirs where !identity.isRevoked && (everything || isMeant(identity)) {
            let fingerprint = identity.mpinID.fingerprint
            count += try await storage.durable.revoke(
                IdentitySelection(userID: userID, fingerprint: fingerprint), now: now)
            parts.observer?.revoked(userID: userID, fingerprint: fingerprint)
        }
        return count
    }
}

/// The link in a mail about a new device. It contains all its data, so that it outlives a restart.
package struct RevocationLink: Sendable {
    static let days = 14
    static let lifetime = Duration.seconds(days * 86_400)

    let mpinID: MPinID
    let expires: WallTime
    let signature: String

    init(mpinID: MPinID, expires: WallTime, credentials: AppCredentials) {
        (self.mpinID, self.expires) = (mpinID, expires)
        signature = credentials.signature(of: Self.text(mpinID, expires))
    }

    /// Nil when a field is missing or malformed.
    package init?(fields: FormFields) {
        guard let mpinID = MPinID(hexadecimal: fields["i"]),
            let end = fields["e"].flatMap({ Int64($0) }), (0...Int64(UInt32.max) * 1000).contains(end),
            let signature = fields["s"], signature.utf8.count == 64, Hexadecimal.bytes(signature) != nil
        else { return nil }
        (self.mpinID, expires, self.signature) = (mpinID, WallTime(milliseconds: end), signature)
    }

    package var userID: String? { MPinIDText.userID(in: mpinID) }

    package func isValid(now: WallTime, credentials: AppCredentials) -> Bool {
        credentials.isSignature(signature, of: Self.text(mpinID, expires)) && now < expires
    }

    package var fields: [(name: String, value: String)] {
        [("i", Hexadecimal.text(mpinID.bytes)), ("e", "\(expires.milliseconds)"), ("s", signature)]
    }

    func url(on site: String) -> String { site + "/revoke?" + FormFields.text(fields) }

    private static func text(_ mpinID: MPinID, _ expires: WallTime) -> String {
        "revoke \(Hexadecimal.text(mpinID.bytes)) \(expires.milliseconds)"
    }
}
