// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// What opens a door.
protocol DoorAction: Sendable {
    /// Does it once, and ends within a time of its own.
    func carryOut(_ opening: Opening) async throws(DoorFailure)

    /// What has to go on as long as the kiosk runs, until the task is cancelled.
    func run() async
}

extension DoorAction {
    func run() async {}
}
