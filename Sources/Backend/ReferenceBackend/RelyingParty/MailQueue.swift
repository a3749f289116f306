// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Dispatch
import Logging
import MPinServer
import ServiceLifecycle
import Synchronization

/// The mails of one kind that wait for an attempt, the first or a further one.
final class MailQueue: Sendable {
    private struct Order {
        let mail: ActivationMail
        let sender: MailSender

        init(_ mail: ActivationMail) { (self.mail, sender) = (mail, MailSender(of: mail)) }
    }

    private let kind: MailKind
    private let server: MailServer
    private let limit: MailLimit
    private let clock: any WallClock
    private let observer: (any BackendObserver)?
    private let logger: Logger
    private let room: Mutex<MailRoom>
    private let orders: AsyncStream<Order>
    private let incoming: AsyncStream<Order>.Continuation

    init(
        _ kind: MailKind, server: MailServer, limit: MailLimit, capacity: Int, clock: any WallClock,
        observer: (any BackendObserver)?, logger: Logger
    ) {
        (self.kind, self.server, self.limit, self.clock, self.observer) = (kind, server, limit, clock, observer)
        self.logger = logger
        room = Mutex(MailRoom(capacity: capacity))
        (orders, incoming) = AsyncStream.makeStream()
    }

    func take(_ mail: ActivationMail) {
        let order = Order(mail)
        guard room.withLock({ $0.enter(order.sender) }) else { return drop("too many others wait") }
        incoming.yield(order)
    }

    func run() async {
        let thread = MailThread(server: server)
        await withDiscardingTaskGroup { group in
            for await order in orders.cancelOnGracefulShutdown() {
                guard await isAdmitted(order.mail) else {
                    leave(order)
                    continue
                }
                group.addTask { await self.deliver(order, on: thread) }
            }
            thread.end()
            group.cancelAll()
        }
        let left = room.withLock { $0.total }
        if left > 0 { logger.warning("mails not sent: the backend ends", metadata: ["mails": "\(left)"]) }
    }

    private func isAdmitted(_ mail: ActivationMail) async -> Bool {
        guard MailAddress.isValid(mail.recipient) else {
            logger.warning("mail not sent: the user id is not a mail address; the mail is in the outbox")
            return false
        }
        do {
            if try await limit.admits(mail, now: clock.now) { return true }
            drop("too many to one address")
        } catch {
            drop("the storage failed", ["error": "\(type(of: error))"])
        }
        return false
    }

    /// Returns early when the backend ends. The mail is then one of those that were not sent.
    private func deliver(_ order: Order, on thread: MailThread) async {
        let boundary: String
        do { boundary = try OneTimeToken.random().hex } catch {
            leave(order)
            return drop("there is no randomness")
        }
        let message = MailMessage(mail: order.mail, sender: server.sender, boundary: boundary)
        for number in 0...MailDelivery.pauses.count {
            guard let answer = await thread.send(message, of: order.sender) else { return }
            guard let failure = answer.failure else {
                leave(order)
                observer?.mailed(kind, .sent)
                return logger.info("mail sent")
            }
            var details: Logger.Metadata = ["reason": "\(failure.reason)"]
            let next = number < MailDelivery.pauses.count ? clock.now + MailDelivery.pauses[number] : nil
            guard !failure.isFinal, let next, order.mail.counts(at: next) else {
                leave(order)
                return drop("it is not tried again", details)
            }
            observer?.mailed(kind, .deferred)
            details["next try"] = "\(next.zonedText)"
            logger.warning("mail not sent yet", metadata: details)
            do { try await clock.sleep(until: next) } catch { return }
        }
    }

    private func leave(_ order: Order) { room.withLock { $0.leave(order.sender) } }

    private func drop(_ reason: String, _ details: Logger.Metadata = [:]) {
        observer?.mailed(kind, .dropped)
        logger.warning("mail not sent: \(reason); the mail is in the outbox", metadata: details)
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
    private let stop = MailStop()
    private let line = Mutex(FairLine<Request>())

    private struct Request {
        let message: MailMessage
        let answer: CheckedContinuation<Answer?, Never>
    }

    init(server: MailServer) { self.server = server }

    /// Stops the thread before its next mail, and the transfer of a mail within a second.
    func end() { stop.isWanted.store(true, ordering: .relaxed) }

    /// - Returns: nil if the thread was stopped first.
    func send(_ message: MailMessage, of sender: MailSender) async -> Answer? {
        await withCheckedContinuation { continuation in
            line.withLock { $0.append(Request(message: message, answer: continuation), of: sender) }
            queue.async { [self] in
                guard let request = line.withLock({ $0.next() }) else { return }
                guard !isEnded else { return request.answer.resume(returning: nil) }
                let failure = server.send(request.message, until: stop)
                // A transfer that was stopped has no answer.
                request.answer.resume(returning: failure != nil && isEnded ? nil : Answer(failure: failure))
            }
        }
    }

    private var isEnded: Bool { stop.isWanted.load(ordering: .relaxed) }
}
