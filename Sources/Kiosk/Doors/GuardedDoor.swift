// SPDX-License-Identifier: Apache-2.0

import AuditTrail
import Encoding
public import KioskPorts
import Logging
import Synchronization
import LinuxSystem

/// A door with its action, its limits, and the record.
public final class GuardedDoor: Door {
    private let name: String
    private let action: any DoorAction
    private let record: @Sendable (AuditEntry) async -> Void
    private let limit = Mutex(OpeningLimit())
    private let time: Timekeeper
    private let wallClock: @Sendable () -> Int64
    private let logger: Logger

    private enum Outcome: String {
        case opened, failed, unknown
        /// Opened too often.
        case refused
    }

    /// - Parameters:
    ///   - record: takes an entry for each opening and refusal, and returns when it is on the disk or lost.
    ///   - time: for the limits.
    ///   - wallClock: seconds since 1970-01-01 UTC, for the action.
    init(
        _ name: String, action: any DoorAction, record: @escaping @Sendable (AuditEntry) async -> Void,
        time: Timekeeper, wallClock: @escaping @Sendable () -> Int64, logger: Logger
    ) {
        self.name = name
        self.action = action
        self.record = record
        self.time = time
        self.wallClock = wallClock
        self.logger = logger
    }

    /// Does the work that accompanies the kiosk, until the task is cancelled.
    public func run() async { await action.run() }

    public func wait(for userID: String?) async -> Duration? {
        let now = time.elapsed()
        return limit.withLock { $0.wait(for: userID, now: now) }
    }

    public func open(for userID: String) async throws(DoorFailure) {
        let opening = Opening(id: Self.newID(), door: name, userID: userID, time: wallClock())
        let now = time.elapsed()
        if let wait = limit.withLock({ $0.open(for: userID, now: now) }) {
            let failure = DoorFailure(.tooOften(wait), "opened too often; wait \(wait)")
            await note(opening, .refused, failure)
            throw failure
        }
        do throws(DoorFailure) { try await action.carryOut(opening) } catch {
            await note(opening, error.reason == .unknown ? .unknown : .failed, error)
            throw error
        }
        await note(opening, .opened, nil)
    }

    /// Writes door and outcome to the log, and also the person to the record.
    private func note(_ opening: Opening, _ outcome: Outcome, _ failure: DoorFailure?) async {
        logger.log(
            level: outcome == .opened ? .notice : .warning, "door",
            metadata: [
                "door": "\(name)", "opening": "\(opening.id)", "outcome": "\(outcome.rawValue)",
                "reason": "\(failure?.detail ?? "")",
            ])
        let reason = failure.map { ", reason: \($0.detail)" } ?? ""
        await record(
            AuditEntry(
                event: "opening", outcome: outcome.rawValue, service: name, who: opening.userID,
                detail: "id: \(opening.id)" + reason))
    }

    private static func newID() -> String {
        Hexadecimal.text((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }
}
