// SPDX-License-Identifier: Apache-2.0

/// The latest activation mails, on no disk: a link is worth an identity and does not outlive the hour.
struct Outbox: Sendable {
    static let capacity = 100
    /// Until others take their place. The links in them end before.
    private static let lifetime = Duration.seconds(30 * 86_400)

    let links: MailLinks
    private let sent: any VolatileTable<OneTimeToken, ActivationMail>
    private let delivery: AsyncStream<ActivationMail>.Continuation?
    private let clock: any WallClock

    /// - Parameter delivery: where mails go besides the page; nil without a mail server.
    init(
        delivery: AsyncStream<ActivationMail>.Continuation?, links: MailLinks, in storage: any VolatileStorage,
        clock: any WallClock
    ) {
        self.links = links
        self.delivery = delivery
        self.clock = clock
        sent = storage.table("outbox", bounds: TableBounds(capacity: Self.capacity))
    }

    /// Newest first.
    var mails: [ActivationMail] {
        get async throws { try await sent.values(now: clock.now) }
    }

    func send(_ mail: ActivationMail) async throws {
        let now = clock.now
        try await sent.insert(mail, for: try .random(), expires: now + Self.lifetime, now: now)
        delivery?.yield(mail)
    }
}
