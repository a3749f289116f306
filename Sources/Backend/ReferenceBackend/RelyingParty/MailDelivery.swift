// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Logging
import ServiceLifecycle
import Synchronization

/// Sends mails one by one on its own thread. A mail that the server does not accept is tried again for hours, unless
/// the server refuses it for good. Other mails do not wait for it. Up to a hundred mails wait. A restart forgets
/// them, and the person asks for another.
struct MailDelivery: Service {
    static let capacity = 100
    /// The waits before further attempts. Servers that defer unknown senders accept a mail after 5 to 60 minutes.
    static let pauses: [Duration] = [10, 60, 300, 900, 1800, 3600, 3600, 3600].map { .seconds($0) }

    let mails: AsyncStream<ActivationMail>
    let server: MailServer
    let limit: MailLimit
    let clock: any WallClock
    let logger: Logger

    func run() async {
        let thread = MailThread(server: server)
        await withDiscardingTaskGroup { group in
            for await mail in mails.cancelOnGracefulShutdown() {
                guard await isAdmitted(mail) else { continue }
                guard thread.waiting.load(ordering: .relaxed) < Self.capacity else {
                    logger.warning("mail not sent: \(Self.capacity) others wait; the mail is in the outbox")
                    continue
                }
                thread.waiting.add(1, ordering: .relaxed)
                group.addTask {
                    if await deliver(mail, on: thread) { thread.waiting.subtract(1, ordering: .relaxed) }
                }
            }
            thread.end()
            group.cancelAll()
        }
        let left = thread.waiting.load(ordering: .relaxed)
        if left > 0 { logger.warning("mails not sent: the backend ends", metadata: ["mails": "\(left)"]) }
    }

    private func isAdmitted(_ mail: ActivationMail) async -> Bool {
        guard MailAddress.isValid(mail.recipient) else {
            logger.warning("mail not sent: the user id is no mail address; the mail is in the outbox")
            return false
        }
        do {
            if try await limit.admits(mail, now: clock.now) { return true }
            logger.warning("mail not sent: too many to one address; the mail is in the outbox")
        } catch {
            logger.error("mail not sent: the storage failed", metadata: ["error": "\(type(of: error))"])
        }
        return false
    }

    /// - Returns: false if the backend ended before the mail was sent or given up.
    private func deliver(_ mail: ActivationMail, on thread: MailThread) async -> Bool {
        let boundary: String
        do { boundary = try OneTimeToken.random().hex } catch {
            logger.error("mail not sent: there is no randomness; the mail is in the outbox")
            return true
        }
        let message = MailMessage(mail: mail, sender: server.sender, boundary: boundary)
        for number in 0...Self.pauses.count {
            guard let answer = await thread.send(message) else { return false }
            guard let failure = answer.failure else {
                logger.info("mail sent")
                return true
            }
            var details: Logger.Metadata = ["reason": "\(failure.reason)"]
            let next = number < Self.pauses.count ? clock.now + Self.pauses[number] : nil
            guard !failure.isFinal, let next, mail.counts(at: next) else {
                logger.warning("mail not sent, and not tried again; the mail is in the outbox", metadata: details)
                return true
            }
            details["next try"] = "\(next.zonedText)"
            logger.warning("mail not sent yet", metadata: details)
            do { try await clock.sleep(until: next) } catch { return false }
        }
        return true
    }
}

/// The thread that talks to the mail server, one mail at a time.
private final class MailThread: Sendable {
    struct Answer {
        /// Nil when the server accepted the mail.
        let failure: MailFailure?
    }

    private let server: MailServer
    private let queue = DispatchQueue(label: "login-kiosk.mail")
    private let isEnded = Atomic(false)
    /// Number of mails that are neither sent nor given up.
    let waiting = Atomic(0)

    init(server: MailServer) { self.server = server }

    /// Stops the thread before its next mail.
    func end() { isEnded.store(true, ordering: .relaxed) }

    /// - Returns: nil if the thread was stopped first.
    func send(_ message: MailMessage) async -> Answer? {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                let isEnded = isEnded.load(ordering: .relaxed)
                continuation.resume(returning: isEnded ? nil : Answer(failure: server.send(message)))
            }
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
        sent = storage.table("mails to an address", bounds: TableBounds(capacity: 10_000))
    }

    /// Counts one more mail. Returns false when the address had enough within the hour since its first mail.
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
