// SPDX-License-Identifier: Apache-2.0

package import BackendValues

/// The latest mails. They are not on a disk: a link can claim an identity, and expires within the hour.
package struct Outbox: Sendable {
    static let capacity = 100
    /// The time that mails are kept, unless newer ones replace them. Their links expire earlier.
    private static let lifetime = Duration.seconds(30 * 86_400)

    package let links: MailLinks
    private let sent: any VolatileTable<OneTimeToken, ActivationMail>
    private let delivery: (@Sendable (ActivationMail) -> Void)?
    private let clock: any WallClock

    /// - Parameter delivery: gets the mails too; nil without a mail server.
    package init(
        delivery: (@Sendable (ActivationMail) -> Void)?, links: MailLinks, in storage: any VolatileStorage,
        clock: any WallClock
    ) {
        self.links = links
        self.delivery = delivery
        self.clock = clock
        sent = storage.table("outbox", bounds: TableQuota(capacity: Self.capacity))
    }

    /// The mails, newest first.
    package var mails: [ActivationMail] {
        get async throws { try await sent.values(now: clock.now) }
    }

    package func send(_ mail: ActivationMail) async throws {
        let now = clock.now
        try await sent.insert(mail, for: try .random(), expires: now + Self.lifetime, now: now)
        delivery?(mail)
    }
}
