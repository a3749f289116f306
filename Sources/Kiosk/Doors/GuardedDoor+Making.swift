// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
public import LoginValues
public import MPinClient

extension GuardedDoor {
    /// A door with a strike at a GPIO line.
    ///
    /// - Parameter bank: one line, an inactive output; released with the door.
    public static func strike<Bank: LineBank & ~Copyable>(
        _ name: String, bank: consuming sending Bank, pulse: Duration, in surroundings: DoorSurroundings
    ) -> GuardedDoor {
        GuardedDoor(
            name, action: DoorStrike(bank, pulse: pulse, time: surroundings.time, logger: surroundings.logger),
            in: surroundings)
    }

    /// A door that a program opens.
    ///
    /// - Parameter supervisor: the executable that calls `SupervisedProgram.takeOver()` when it starts.
    public static func command(
        _ name: String, _ command: String, arguments: [String], supervisor: String = "/proc/self/exe",
        in surroundings: DoorSurroundings
    ) -> GuardedDoor {
        GuardedDoor(
            name,
            action: DoorCommand(
                command: command, arguments: arguments, time: surroundings.time, logger: surroundings.logger,
                supervisor: supervisor),
            in: surroundings)
    }

    /// A door that another server opens.
    ///
    /// - Parameter token: sent as `Authorization: Bearer`, visible ASCII; nil sends none.
    public static func webhook(
        _ name: String, _ url: WebAddress, token: SecretBytes?, transport: any HTTPTransport, trust: TrustPolicy,
        in surroundings: DoorSurroundings
    ) -> GuardedDoor {
        GuardedDoor(
            name,
            action: DoorWebhook(url: url, token: token, transport: transport, trust: trust, time: surroundings.time),
            in: surroundings)
    }
}
