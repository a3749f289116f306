// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LinuxSystem

/// The running timers of the machine.
struct Timers: Sendable {
    private struct Deadline {
        let elapsed: Duration
        let session: SessionNumber
    }

    private var deadlines: [KioskTimer: Deadline] = [:]
    private let wakeup = Wakeup()

    /// - Parameter elapsed: the time at which it fires.
    mutating func start(_ timer: KioskTimer, at elapsed: Duration, session: SessionNumber) {
        deadlines[timer] = Deadline(elapsed: elapsed, session: session)
        wakeup.signal()
    }

    mutating func stop(_ timer: KioskTimer) { deadlines[timer] = nil }

    /// The earliest time at which a timer fires; nil when none runs.
    var next: Duration? { deadlines.values.map(\.elapsed).min() }

    /// Stops the earliest timer that is due.
    mutating func takeDue(at now: Duration) -> (timer: KioskTimer, session: SessionNumber)? {
        guard let (timer, deadline) = deadlines.min(by: { $0.value.elapsed < $1.value.elapsed }),
            deadline.elapsed <= now
        else { return nil }
        deadlines[timer] = nil
        return (timer, deadline.session)
    }

    /// Waits until a timer was started or `end` has elapsed; cancelling the task ends it, too.
    func wait(until end: Duration?, by time: Timekeeper) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await wakeup.wait() }
            if let end { group.addTask { try? await time.sleepUntil(end) } }
            await group.next()
            group.cancelAll()
        }
    }
}
