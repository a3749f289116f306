// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Waiting

/// How long a process said nothing although it could have: on a machine that has too much to do, time in which the
/// process waited for a processor does not count, and neither does time in which this one was late to look.
final class Silence: Sendable {
    /// Between two looks.
    static let interval = Duration.seconds(1)

    private struct State {
        var counted = Duration.zero
        var lastLook: Duration
        var waited: Duration
        var isAnnounced = false
    }

    private let time: Timekeeper
    private let processorWait: @Sendable () -> Duration
    private let state: Mutex<State>

    /// - Parameter processorWait: how long the process has waited for a processor since it began.
    init(_ time: Timekeeper, processorWait: @escaping @Sendable () -> Duration) {
        self.time = time
        self.processorWait = processorWait
        state = Mutex(State(lastLook: time.elapsed(), waited: processorWait()))
    }

    /// The process has said something.
    ///
    /// - Parameter isAnnounced: whether it said that it is going to be silent for a while.
    func end(isAnnounced: Bool = false) {
        state.withLock { state in
            state.counted = .zero
            state.isAnnounced = isAnnounced
        }
    }

    /// Call it every ``interval``.
    func look() -> (duration: Duration, isAnnounced: Bool) {
        let (now, waited) = (time.elapsed(), processorWait())
        return state.withLock { state in
            let couldHave = now - state.lastLook - (waited - state.waited)
            state.counted += min(max(couldHave, .zero), Silence.interval)
            (state.lastLook, state.waited) = (now, waited)
            return (state.counted, state.isAnnounced)
        }
    }
}
