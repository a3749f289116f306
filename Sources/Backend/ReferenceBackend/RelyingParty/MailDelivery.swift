// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Logging
import MPinServer
import ServiceLifecycle
import Synchronization

/// Sends mails. A mail that the server does not accept is tried again for hours, unless the server refuses it for good.
/// A restart forgets waiting mails.
///
/// Strangers cause mails about registrations, at addresses of their choice. So notices to owners have a queue and a
/// thread of their own.
struct MailDelivery: Service {
    /// The waits before further attempts. Servers that defer unknown senders accept a mail after 5 to 60 minutes.
    static let pauses: [Duration] = [10, 60, 300, 900, 1800, 3600, 3600, 3600].map { .seconds($0) }

    private let registrations: MailQueue
    private let notices: MailQueue

    init(
        server: MailServer, limit: MailLimit, clock: any WallClock, watch: (any BackendWatch)? = nil, logger: Logger
    ) {
        func queue(_ kind: MailKind) -> MailQueue {
            MailQueue(kind, server: server, limit: limit, clock: clock, watch: watch, logger: logger)
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

/// The mails of one kind, in the order in which they came. A mail that the server deferred leaves the order, so that
/// others do not wait for it.
private final class MailQueue: Sendable {
    private struct Order {
        let mail: ActivationMail
        /// The client that caused the mail.
        let address = ClientAddress.current

        var domain: String { String(mail.recipient.split(separator: "@").last ?? "").lowercased() }
    }

    private struct State {
        /// Mails before their first attempt.
        var queued = 0
        /// Mails after it, that are tried again.
        var deferred = 0
        var deferredTo: [String: Int] = [:]
        /// All mails that a client caused.
        var from: [ClientAddress: Int] = [:]
    }

    private let kind: MailKind
    private let server: MailServer
    private let limit: MailLimit
    private let clock: any WallClock
    private let watch: (any BackendWatch)?
    private let logger: Logger
    private let state = Mutex(State())
    private let orders: AsyncStream<Order>
    private let incoming: AsyncStream<Order>.Continuation

    init(
        _ kind: MailKind, server: MailServer, limit: MailLimit, clock: any WallClock, watch: (any BackendWatch)?,
        logger: Logger
    ) {
        (self.kind, self.server, self.limit, self.clock, self.watch) = (kind, server, limit, clock, watch)
        self.logger = logger
        (orders, incoming) = AsyncStream.makeStream()
    }

    func take(_ mail: ActivationMail) {
        let (order, bounds) = (Order(mail: mail), kind.bounds)
        let isTaken = state.withLock { state in
            guard state.queued < bounds.queued, state.from[order.address, default: 0] < bounds.fromAddress else {
                return false
            }
            state.queued += 1
            state.from[order.address, default: 0] += 1
            return true
        }
        guard isTaken else { return drop("too many others wait") }
        incoming.yield(order)
    }

    func run() async {
        let thread = MailThread(server: server)
        await withDiscardingTaskGroup { group in
            for await order in orders.cancelOnGracefulShutdown() {
                guard await isAdmitted(order.mail) else {
                    leave(order, isDeferred: false)
                    continue
                }
                group.addTask { await self.deliver(order, on: thread) }
            }
            thread.end()
            group.cancelAll()
        }
        let left = state.withLock { $0.queued + $0.deferred }
        if left > 0 { logger.warning("mails not sent: the backend ends", metadata: ["mails": "\(left)"]) }
    }

    private func isAdmitted(_ mail: ActivationMail) async -> Bool {
        guard MailAddress.isValid(mail.recipient) else {
            logger.warning("mail not sent: the user id is no mail address; the mail is in the outbox")
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
            leave(order, isDeferred: false)
            return drop("there is no randomness")
        }
        let message = MailMessage(mail: order.mail, sender: server.sender, boundary: boundary)
        for number in 0...MailDelivery.pauses.count {
            guard let answer = await thread.send(message) else { return }
            guard let failure = answer.failure else {
                leave(order, isDeferred: number > 0)
                watch?.mailed(kind, .sent)
                return logger.info("mail sent")
            }
            var details: Logger.Metadata = ["reason": "\(failure.reason)"]
            let next = number < MailDelivery.pauses.count ? clock.now + MailDelivery.pauses[number] : nil
            guard !failure.isFinal, let next, order.mail.counts(at: next) else {
                leave(order, isDeferred: number > 0)
                return drop("it is not tried again", details)
            }
            if number == 0, !postpone(order) {
                leave(order, isDeferred: false)
                return drop("too many that the mail server deferred wait", details)
            }
            watch?.mailed(kind, .deferred)
            details["next try"] = "\(next.zonedText)"
            logger.warning("mail not sent yet", metadata: details)
            do { try await clock.sleep(until: next) } catch { return }
        }
    }

    /// - Returns: false when too many deferred mails wait, in all or to one domain.
    private func postpone(_ order: Order) -> Bool {
        let (domain, bounds) = (order.domain, kind.bounds)
        return state.withLock { state in
            guard state.deferred < bounds.deferred, state.deferredTo[domain, default: 0] < bounds.deferredToDomain
            else { return false }
            state.queued -= 1
            state.deferred += 1
            state.deferredTo[domain, default: 0] += 1
            return true
        }
    }

    private func leave(_ order: Order, isDeferred: Bool) {
        state.withLock { state in
            state.from.decrease(order.address)
            guard isDeferred else {
                state.queued -= 1
                return
            }
            state.deferred -= 1
            state.deferredTo.decrease(order.domain)
        }
    }

    private func drop(_ reason: String, _ details: Logger.Metadata = [:]) {
        watch?.mailed(kind, .dropped)
        logger.warning("mail not sent: \(reason); the mail is in the outbox", metadata: details)
    }
}

extension MailKind {
    fileprivate struct Bounds {
        let queued: Int
        let fromAddress: Int
        let deferred: Int
        let deferredToDomain: Int
    }

    /// Strangers choose recipients of mails about registrations. Owners have proved a PIN or a code before.
    fileprivate var bounds: Bounds {
        switch self {
        case .registration: Bounds(queued: 100, fromAddress: 50, deferred: 400, deferredToDomain: 50)
        case .notice: Bounds(queued: 1000, fromAddress: .max, deferred: 1000, deferredToDomain: 500)
        }
    }
}

extension Dictionary where Value == Int {
    fileprivate mutating func decrease(_ key: Key) { self[key] = self[key].flatMap { $0 > 1 ? $0 - 1 : nil } }
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

    init(server: MailServer) { self.server = server }

    /// Stops the thread before its next mail, and the transfer of a mail within a second.
    func end() { stop.isWanted.store(true, ordering: .relaxed) }

    /// - Returns: nil if the thread was stopped first.
    func send(_ message: MailMessage) async -> Answer? {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                guard !isEnded else { return continuation.resume(returning: nil) }
                let failure = server.send(message, until: stop)
                // A transfer that was stopped has no answer.
                continuation.resume(returning: failure != nil && isEnded ? nil : Answer(failure: failure))
            }
        }
    }

    private var isEnded: Bool { stop.isWanted.load(ordering: .relaxed) }
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
