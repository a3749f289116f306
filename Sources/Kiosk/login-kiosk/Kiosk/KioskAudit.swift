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
import ServiceLifecycle

/// Keeps the audit record of sessions. The kiosk does not wait for it, and continues without it.
final class KioskAudit: KioskObserver {
    /// More sessions than can end while a disk hangs.
    private static let capacity = 256

    let trail: AuditTrail
    private let logger: Logger
    private let entries: AsyncStream<Entry>
    private let sink: AsyncStream<Entry>.Continuation

    private struct Entry {
        let entry: AuditEntry
        /// Whether equal ones within a minute are one line.
        let isRepeatable: Bool
    }

    /// - Returns: nil when the operator wants no record.
    init?(_ configuration: KioskConfiguration, _ places: DirectoryOptions, _ report: ServiceReport?, logger: Logger)
        throws
    {
        guard configuration[\.keepsRecord] else { return nil }
        self.logger = logger
        (entries, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(KioskAudit.capacity))
        trail = AuditTrail(try places.directories(in: configuration)) { fault in
            report?.lacks(fault.map { "the record of sessions cannot be kept: \($0)" }, for: .record)
            guard let fault else { return logger.notice("the record of sessions is kept again") }
            logger.critical(
                "the record of sessions cannot be kept", metadata: ["reason": "\(fault)", "hint": "\(fault.hint)"])
        }
    }

    var interval: Duration? { nil }

    func turned() {}

    func changed(_ condition: KioskCondition) { if condition == .stopping { sink.finish() } }

    func ended(_ session: EndedSession) {
        let details = [
            session.isBrowserElsewhere ? "browser: other" : nil, session.cards,
            session.wrongPINs > 0 ? "wrongPINs: \(session.wrongPINs)" : nil,
        ].compactMap { $0 }
        let entry = AuditEntry(
            event: session.errand.rawValue, outcome: session.outcome.rawValue, service: session.place,
            who: session.userID, detail: details.isEmpty ? nil : details.joined(separator: ", "))
        let isRepeatable = Self.countNothing.contains(session.outcome) && session.wrongPINs == 0
        if !keeps(entry, isRepeatable: isRepeatable) {
            logger.critical("a session is missing in the record", metadata: ["session": "\(session.number)"])
        }
    }

    func note(_ change: KioskChange) {
        if !keeps(change.entry, isRepeatable: false) {
            logger.critical("a change of this kiosk is missing in the record")
        }
    }

    /// Notes a keypad that came or went: somebody may have replaced it by one that stores keys.
    func note(_ change: KeypadChange) {
        let entry = AuditEntry(
            event: "keypad", outcome: change.isThere ? "attached" : "detached",
            service: change.device.place.isEmpty ? nil : change.device.place, detail: "\(change.device)")
        if !keeps(entry, isRepeatable: true) { logger.critical("a keypad is missing in the record") }
    }

    /// Outcomes that anybody can cause, before a PIN is judged or anything is done. Showing the same code repeatedly
    /// makes one line a minute.
    private static let countNothing: Set<SessionOutcome> = [
        .declined, .timedOut, .invalidCode, .unknownUser, .untrusted, .loopbackHTTP, .anotherService,
        .serverKeyRefused, .versionRefused, .appRefused, .invalidConfiguration, .serviceUnavailable, .unreachable,
        .sessionExpired, .notOffered,
    ]

    private func keeps(_ entry: AuditEntry, isRepeatable: Bool) -> Bool {
        if case .dropped = sink.yield(Entry(entry: entry, isRepeatable: isRepeatable)) { false } else { true }
    }

    /// Writes until the kiosk has stopped and every session is on the disk.
    var work: LastingWork {
        LastingWork(stopsByItself: true) { [trail, entries] in
            await trail.open()
            for await next in entries { await trail.append(next.entry, isRepeatable: next.isRepeatable) }
            await trail.close()
            try await gracefulShutdown()
        }
    }
}

extension EndedSession {
    /// The record's text about personal cards.
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
