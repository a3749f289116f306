// SPDX-License-Identifier: Apache-2.0

import AuditTrail
import CommandLineInterface
import Foundation
import HostIntegration
import Keypads
import KioskMachine
import KioskRuntime
import Logging
import PersonalCards

/// Keeps the audit log of sessions and openings. Only a door waits for its line, and the kiosk continues without it.
final class KioskAudit: KioskObserver {
    let trail: AuditTrail
    /// Whether sessions and changes are kept. Openings of doors always are.
    private let keepsSessions: Bool
    private let logger: Logger

    /// - Returns: nil when the operator wants no audit log and has no door.
    init?(_ configuration: KioskConfiguration, _ places: DirectoryOptions, _ report: ServiceReport?, logger: Logger)
        throws
    {
        keepsSessions = configuration[\.keepsAuditLog]
        guard keepsSessions || !configuration.doorSettings().isEmpty else { return nil }
        self.logger = logger
        trail = AuditTrail(in: try places.directories(in: configuration).auditDirectory) { fault in
            report?.lacks(fault.map { "the audit log cannot be kept: \($0)" }, for: .auditLog)
            guard let fault else { return logger.notice("the audit log is kept again") }
            logger.critical(
                "the audit log cannot be kept", metadata: ["reason": "\(fault)", "hint": "\(fault.hint)"])
        }
    }

    func changed(_ condition: KioskCondition) { if condition == .stopping { trail.finish() } }

    func ended(_ session: EndedSession) {
        let details = [
            session.isBrowserElsewhere ? "browser: other" : nil, session.cards,
            session.wrongPINs > 0 ? "wrongPINs: \(session.wrongPINs)" : nil,
        ].compactMap { $0 }
        let entry = AuditEntry(
            event: session.task.rawValue, outcome: session.outcome.rawValue, service: session.place,
            who: session.userID, detail: details.isEmpty ? nil : details.joined(separator: ", "))
        note(entry, isRepeatable: Self.countNothing.contains(session.outcome) && session.wrongPINs == 0)
    }

    func note(_ change: KioskChange) { note(change.entry) }

    /// Notes a keypad that came or went: somebody may have replaced it by one that stores keys.
    func note(_ change: KeypadChange) {
        let entry = AuditEntry(
            event: "keypad", outcome: change.isThere ? "attached" : "detached",
            service: change.device.place.isEmpty ? nil : change.device.place, detail: "\(change.device)")
        note(entry, isRepeatable: true)
    }

    /// Outcomes that anybody can cause, before a PIN is checked or anything is done. Showing the same code repeatedly
    /// makes one line a minute.
    private static let countNothing: Set<SessionOutcome> = [
        .declined, .timedOut, .invalidCode, .unknownUser, .untrusted, .loopbackHTTP, .anotherService,
        .serverKeyRefused, .versionRefused, .appRefused, .invalidConfiguration, .serviceUnavailable, .unreachable,
        .sessionExpired, .notOffered,
    ]

    func note(_ entry: AuditEntry, isRepeatable: Bool = false) {
        guard keepsSessions else { return }
        if !trail.note(entry, isRepeatable: isRepeatable) { missing(entry) }
    }

    private func missing(_ entry: AuditEntry) {
        logger.critical("a line is missing in the audit log: the disk hangs", metadata: ["event": "\(entry.event)"])
    }

    /// Notes an entry, and returns when it is on the disk or lost.
    func append(_ entry: AuditEntry) async { if await !trail.append(entry) { missing(entry) } }

    /// Writes until the kiosk has stopped and every session is on the disk.
    var work: LastingWork {
        LastingWork(stopsByItself: true) { [trail] in await trail.run() }.andThenWaiting
    }
}

extension EndedSession {
    /// The audit log's text about personal cards.
    fileprivate var cards: String? {
        let cards = [card.map { "with a card \($0.text)" }, newCard.map { "made a card \($0.text)" }]
        let text = cards.compactMap(\.self).joined(separator: ", ")
        return text.isEmpty ? nil : text
    }
}

extension CardPeriod {
    /// For operators, in UTC.
    var text: String { "of \(ServerTime.text(issued)), until \(ServerTime.text(ends))" }
}
