// SPDX-License-Identifier: Apache-2.0

import AuditTrail
import CommandLineInterface
import Foundation
import HostIntegration
import KioskMachine
import KioskRuntime
import Logging
import ServiceLifecycle

/// Keeps the record of sessions. The kiosk does not wait for it, and goes on without.
final class KioskAudit: KioskWatch {
    /// More sessions than end while a disk hangs.
    private static let capacity = 256

    let trail: AuditTrail
    private let logger: Logger
    private let entries: AsyncStream<AuditEntry>
    private let sink: AsyncStream<AuditEntry>.Continuation

    /// - Returns: nil when the operator wants no record.
    init?(_ configuration: KioskConfiguration, _ places: DirectoryOptions, _ report: ServiceReport?, logger: Logger)
        throws
    {
        guard configuration.flag("audit.record") else { return nil }
        self.logger = logger
        (entries, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(KioskAudit.capacity))
        trail = AuditTrail(try places.directories(in: configuration)) { fault in
            report?.lacks(fault.map { "the record of sessions cannot be kept: \($0)" })
            guard let fault else { return logger.notice("the record of sessions is kept again") }
            logger.critical(
                "the record of sessions cannot be kept", metadata: ["reason": "\(fault)", "hint": "\(fault.hint)"])
        }
    }

    var interval: Duration? { nil }

    func turned() {}

    func stands(_ standing: KioskStanding) { if standing == .stopping { sink.finish() } }

    func ended(_ session: EndedSession) {
        let entry = AuditEntry(
            event: session.errand.rawValue, outcome: session.outcome.rawValue, service: session.place,
            who: session.userID)
        if !keeps(entry) {
            logger.critical("a session is missing in the record", metadata: ["session": "\(session.number)"])
        }
    }

    func note(_ change: KioskChange) {
        if !keeps(change.entry) { logger.critical("a change of this kiosk is missing in the record") }
    }

    private func keeps(_ entry: AuditEntry) -> Bool {
        if case .dropped = sink.yield(entry) { false } else { true }
    }

    /// Writes until the kiosk has stopped and every session is on the disk.
    var work: LastingWork {
        LastingWork(stopsByItself: true) { [trail, entries] in
            await trail.open()
            for await entry in entries { await trail.append(entry) }
            await trail.close()
            try await gracefulShutdown()
        }
    }
}
