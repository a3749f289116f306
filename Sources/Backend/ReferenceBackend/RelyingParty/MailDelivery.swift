// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Logging
import MPinServer
import ServiceLifecycle

/// Sends mails. A mail that the server does not accept is tried again for hours, unless the server refuses it for good.
/// A restart forgets waiting mails.
///
/// Strangers cause mails about registrations, at addresses of their choice. So notices to owners have a queue and a
/// thread of their own, and within a queue every ``MailSender`` has a fair share of the room and of the thread.
struct MailDelivery: Service {
    /// The waits before further attempts. Servers that defer unknown senders accept a mail after 5 to 60 minutes.
    static let pauses: [Duration] = [10, 60, 300, 900, 1800, 3600, 3600, 3600].map { .seconds($0) }

    /// Mails of one kind that may wait: some megabytes.
    static let capacity = 4000

    private let registrations: MailQueue
    private let notices: MailQueue

    init(
        server: MailServer, limit: MailLimit, capacity: Int = Self.capacity, clock: any WallClock,
        observer: (any BackendObserver)?, logger: Logger
    ) {
        func queue(_ kind: MailKind) -> MailQueue {
            MailQueue(
                kind, server: server, limit: limit, capacity: capacity, clock: clock, observer: observer, logger: logger
            )
        }
        (registrations, notices) = (queue(.registration), queue(.notice))
    }

    /// Takes a mail, or drops it where too many wait. Waits for nothing.
    @Sendable func take(_ mail: ActivationMail) { (mail.kind == .notice ? notices : registrations).take(mail) }

    func run() async {
        await withDiscardingTaskGroup { group in
            for queue in [registrations, notices] { group.addTask { await queue.run() } }
        }
    }
}

/// The number of mails that one address gets. A stranger can register any address, so nobody must be flooded. Notices
/// to owners have a separate bound, which strangers cannot use up.
struct MailLimit: Sendable {
    static let mails = 10
    static let period = Duration.seconds(3600)

    private let sent: any VolatileTable<String, Int>

    init(in storage: any VolatileStorage) {
        sent = storage.table("mails to an address", bounds: TableQuota(capacity: 10_000))
    }

    /// Counts a mail. Returns false when the address had enough within the hour since its first mail.
    func admits(_ mail: ActivationMail, now: WallTime) async throws -> Bool {
        let recipient = UserID.normalized(mail.recipient)
        // The kind, because the words exist in five languages.
        let key = if case .notice(let notice) = mail.content { "\(notice.kind)\n\(recipient)" } else { recipient }
        return try await sent.change(key, now: now) { entry in
            guard (entry?.value ?? 0) < Self.mails else { return false }
            entry = TableEntry(value: (entry?.value ?? 0) + 1, expires: entry?.expires ?? now + Self.period)
            return true
        }
    }
}
