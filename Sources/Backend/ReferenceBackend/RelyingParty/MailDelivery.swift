// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Dispatch
import Logging
import MPinServer
import ServiceLifecycle
import Synchronization

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

/// The owner of the quota that a mail uses: the client that caused a mail about a registration, because strangers
/// choose the recipients; the domain of a notice's recipient, because all people of a kiosk are one client.
struct MailSender: Hashable {
    private let name: String

    init(of mail: ActivationMail) {
        name =
            switch mail.kind {
            case .registration: ClientAddress.current.key
            case .notice: String(mail.recipient.split(separator: "@").last ?? "").lowercased()
            }
    }
}

/// The mails of one kind that wait for an attempt, the first or a further one.
private final class MailQueue: Sendable {
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

/// The number of waiting mails, by sender. A sender gets in as long as it has fewer than there are free places: alone
/// it has half of the room, and what others fill always leaves a share of the same size for the next one.
struct MailRoom {
    let capacity: Int
    private(set) var total = 0
    private var bySender: [MailSender: Int] = [:]

    init(capacity: Int) { self.capacity = capacity }

    /// - Returns: false when the sender has its share.
    mutating func enter(_ sender: MailSender) -> Bool {
        guard bySender[sender, default: 0] < capacity - total else { return false }
        total += 1
        bySender[sender, default: 0] += 1
        return true
    }

    mutating func leave(_ sender: MailSender) {
        total -= 1
        bySender[sender] = bySender[sender].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}

/// Elements of several senders, which take turns. Those of one sender come in their order.
struct FairLine<Element> {
    private var waiting: [(turn: Int, element: Element)] = []
    /// The latest turn of each sender that waits or had the last one.
    private var last: [MailSender: Int] = [:]
    private var turn = 0

    mutating func append(_ element: Element, of sender: MailSender) {
        let next = max(turn, last[sender] ?? 0) + 1
        last[sender] = next
        waiting.append((next, element))
    }

    mutating func next() -> Element? {
        guard let place = waiting.indices.min(by: { waiting[$0].turn < waiting[$1].turn }) else { return nil }
        let first = waiting.remove(at: place)
        turn = first.turn
        last = last.filter { $0.value > turn }
        return first.element
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
