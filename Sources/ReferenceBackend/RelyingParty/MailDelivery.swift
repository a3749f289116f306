// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Logging
import ServiceLifecycle

/// Sends mails one after another on a thread of its own, with two more tries. Up to a hundred wait; a restart forgets
/// them, and the person asks for another one.
struct MailDelivery: Service {
    static let capacity = 100
    private static let tries = 3

    let mails: AsyncStream<ActivationMail>
    let server: MailServer
    let limit: MailLimit
    let clock: any WallClock
    let logger: Logger

    func run() async throws {
        let queue = DispatchQueue(label: "login-kiosk.mail")
        for await mail in mails.cancelOnGracefulShutdown() {
            guard MailAddress.isValid(mail.recipient) else {
                logger.warning("mail not sent: the user id is no mail address; the mail is in the outbox")
                continue
            }
            if await isAdmitted(mail) { try await deliver(mail, on: queue) }
        }
    }

    private func isAdmitted(_ mail: ActivationMail) async -> Bool {
        do {
            if try await limit.admits(mail.recipient, now: clock.now) { return true }
            logger.warning("mail not sent: too many to one address; the mail is in the outbox")
        } catch {
            logger.error("mail not sent: the storage failed", metadata: ["error": "\(type(of: error))"])
        }
        return false
    }

    private func deliver(_ mail: ActivationMail, on queue: DispatchQueue) async throws {
        let message = MailMessage(mail: mail, sender: server.sender, boundary: try OneTimeToken.random().hex)
        for number in 1...Self.tries {
            let server = server
            let failure = await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: server.send(message)) }
            }
            guard let failure else { return logger.info("mail sent") }
            logger.warning("mail not sent", metadata: ["try": "\(number) of \(Self.tries)", "reason": "\(failure)"])
            guard number < Self.tries else { return }
            let next = clock.now + .seconds(10 * number)
            let clock = clock
            try await cancelWhenGracefulShutdown { try await clock.sleep(until: next) }
        }
    }
}

/// How many mails one address gets. A stranger can register any address, and mail must not become a weapon.
struct MailLimit: Sendable {
    static let mails = 10
    static let period = Duration.seconds(3600)

    private let sent: any VolatileTable<String, Int>

    init(in storage: any VolatileStorage) {
        sent = storage.table("mails to an address", bounds: TableBounds(capacity: 10_000))
    }

    /// Counts one more mail; false when the address has had enough within the hour that its first mail began.
    func admits(_ recipient: String, now: WallTime) async throws -> Bool {
        try await sent.change(UserID.normalized(recipient), now: now) { entry in
            guard (entry?.value ?? 0) < Self.mails else { return false }
            entry = TableEntry(value: (entry?.value ?? 0) + 1, expires: entry?.expires ?? now + Self.period)
            return true
        }
    }
}
