// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension KioskMachine {
    /// A wait that a service asked for, in the session whose step it holds up.
    struct ServiceWait: Sendable {
        let session: SessionNumber
        let time: Duration
    }

    /// The step under way waits because the service asked it to, and goes on by itself.
    ///
    /// - Parameter wait: nil when the wait is over.
    public mutating func serviceIsBusy(for wait: Duration?, session number: SessionNumber) -> [KioskAction] {
        guard let wait else {
            if serviceWait?.session == number { serviceWait = nil }
            return []
        }
        guard state.hasStepUnderWay, state.session?.number == number else { return [] }
        serviceWait = ServiceWait(session: number, time: wait)
        // It is long enough to be shown.
        return showWaiting()
    }

    /// Says so where the person waits.
    func addServiceWait(to view: inout KioskView) {
        guard let serviceWait, state.hasStepUnderWay, state.session?.number == serviceWait.session else { return }
        view.hint = Prompt(.serviceBusy, [.seconds: "\(serviceWait.time.wholeSeconds)"])
    }
}
