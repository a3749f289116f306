// SPDX-License-Identifier: Apache-2.0

import KioskMachine

/// The step that the machine waits for.
struct StepUnderWay: Sendable {
    let step: KioskStep
    let session: SessionNumber
    let cancellation = Wakeup()
}
