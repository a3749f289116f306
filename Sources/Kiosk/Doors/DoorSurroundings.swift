// SPDX-License-Identifier: Apache-2.0

public import AuditTrail
import LinuxSystem
public import Logging

/// The audit log, clocks and log that all doors of a kiosk share.
public struct DoorSurroundings: Sendable {
    let record: @Sendable (AuditEntry) async -> Void
    /// For limits, pulses and pauses.
    let time: Timekeeper
    let wallClock: @Sendable () -> Int64
    let logger: Logger

    /// - Parameters:
    ///   - record: takes an entry for each opening and refusal, and returns when it is on the disk or lost.
    ///   - wallClock: seconds since 1970-01-01 UTC.
    public init(
        record: @escaping @Sendable (AuditEntry) async -> Void, clock: some Clock<Duration> = ContinuousClock(),
        wallClock: @escaping @Sendable () -> Int64, logger: Logger
    ) {
        self.record = record
        time = Timekeeper(clock)
        self.wallClock = wallClock
        self.logger = logger
    }
}
