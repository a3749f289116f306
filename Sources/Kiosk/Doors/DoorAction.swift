// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// An action that opens a door.
protocol DoorAction: Sendable {
    /// Opens the door once, within the action's own time limit.
    func carryOut(_ opening: Opening) async throws(DoorFailure)

    /// Does the work that accompanies the kiosk, until the task is cancelled.
    func run() async
}

extension DoorAction {
    func run() async {}
}

/// One opening of a door for one person.
struct Opening: Sendable, Hashable {
    /// 32 random hexadecimal digits, the same in the log, the audit log and both tries of a webhook.
    let id: String
    let door: String
    let userID: String
    /// Seconds since 1970-01-01 UTC by the device's clock.
    let time: Int64
}
