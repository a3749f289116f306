// SPDX-License-Identifier: Apache-2.0

public import AuditTrail
public import KioskPorts
public import Logging
public import LoginValues
public import MPinClient
import LinuxSystem

extension GuardedDoor {
    /// A door with a strike at a GPIO line.
    ///
    /// - Parameters:
    ///   - bank: one line, an inactive output; released with the door.
    ///   - record: takes an entry for each opening and refusal, and returns when it is on the disk or lost.
    ///   - wallClock: seconds since 1970-01-01 UTC.
    public static func strike<Bank: LineBank & ~Copyable>(
        _ name: String, bank: consuming sending Bank, pulse: Duration,
        record: @escaping @Sendable (AuditEntry) async -> Void, clock: some Clock<Duration> = ContinuousClock(),
        wallClock: @escaping @Sendable () -> Int64, logger: Logger
    ) -> GuardedDoor {
        GuardedDoor(
            name, action: DoorStrike(bank, pulse: pulse, clock: clock, logger: logger), record: record,
            time: Timekeeper(clock), wallClock: wallClock, logger: logger)
    }

    /// A door that a program opens.
    ///
    /// - Parameter supervisor: the executable that calls `SupervisedProgram.takeOver()` when it starts.
    public static func command(
        _ name: String, _ command: String, arguments: [String], supervisor: String = "/proc/self/exe",
        record: @escaping @Sendable (AuditEntry) async -> Void, clock: some Clock<Duration> = ContinuousClock(),
        wallClock: @escaping @Sendable () -> Int64, logger: Logger
    ) -> GuardedDoor {
        let time = Timekeeper(clock)
        return GuardedDoor(
            name,
            action: DoorCommand(
                command: command, arguments: arguments, time: time, logger: logger, supervisor: supervisor),
            record: record, time: time, wallClock: wallClock, logger: logger)
    }

    /// A door that another server opens.
    ///
    /// - Parameter token: sent as `Authorization: Bearer`, visible ASCII; nil sends none.
    public static func webhook(
        _ name: String, _ url: WebAddress, token: SecretBytes?, transport: any HTTPTransport, trust: TrustPolicy,
        record: @escaping @Sendable (AuditEntry) async -> Void, clock: some Clock<Duration> = ContinuousClock(),
        wallClock: @escaping @Sendable () -> Int64, logger: Logger
    ) -> GuardedDoor {
        let time = Timekeeper(clock)
        return GuardedDoor(
            name, action: DoorWebhook(url: url, token: token, transport: transport, trust: trust, time: time),
            record: record, time: time, wallClock: wallClock, logger: logger)
    }
}
