// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// An action that opens a door.
protocol DoorAction: Sendable {
    /// Does it once, and ends within a time of its own.
    func carryOut(_ opening: Opening) async throws(DoorFailure)

    /// Does the work that has to go on as long as the kiosk runs, until the task is cancelled.
    func run() async
}

extension DoorAction {
    func run() async {}
}

/// One opening of a door for one person.
struct Opening: Sendable, Hashable {
    /// 32 hexadecimal digits, random: ties the log, the record and a webhook's two tries together.
    let id: String
    let door: String
    let userID: String
    /// Seconds since 1970-01-01 UTC by the device's clock.
    let time: Int64
}
