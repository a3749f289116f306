// SPDX-License-Identifier: Apache-2.0

import AuditTrail
import Encoding
public import KioskPorts
import Logging
import Synchronization
import LinuxSystem

/// A door with its action, its limits, and the audit log.
public final class GuardedDoor: Door {
    private let name: String
    private let action: any DoorAction
    private let surroundings: DoorSurroundings
    private let limit = Mutex(OpeningLimit())

    private enum Outcome: String {
        case opened, failed, unknown
        /// Opened too often.
        case refused
    }

    init(_ name: String, action: any DoorAction, in surroundings: DoorSurroundings) {
        self.name = name
        self.action = action
        self.surroundings = surroundings
    }

    /// Does the work that accompanies the kiosk, until the task is cancelled.
    public func run() async { await action.run() }

    public func wait(for userID: String?) async -> Duration? {
        let now = surroundings.time.elapsed()
        return limit.withLock { $0.wait(for: userID, now: now) }
    }

    public func open(for userID: String) async throws(DoorFailure) {
        let opening = Opening(id: Self.newID(), door: name, userID: userID, time: surroundings.wallClock())
        let now = surroundings.time.elapsed()
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

    /// Writes door and outcome to the log, and also the person to the audit log.
    private func note(_ opening: Opening, _ outcome: Outcome, _ failure: DoorFailure?) async {
        surroundings.logger.log(
            level: outcome == .opened ? .notice : .warning, "door",
            metadata: [
                "door": "\(name)", "opening": "\(opening.id)", "outcome": "\(outcome.rawValue)",
                "reason": "\(failure?.detail ?? "")",
            ])
        let reason = failure.map { ", reason: \($0.detail)" } ?? ""
        await surroundings.record(
            AuditEntry(
                event: "opening", outcome: outcome.rawValue, service: name, who: opening.userID,
                detail: "id: \(opening.id)" + reason))
    }

    private static func newID() -> String {
        Hexadecimal.text((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }
}
