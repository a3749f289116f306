// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import MPinServer

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
