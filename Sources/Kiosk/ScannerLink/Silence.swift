// SPDX-License-Identifier: Apache-2.0

import Synchronization
import LinuxSystem

/// The time for which a process was silent although it could have spoken. On a busy machine the time in which it waited
/// for a processor is not included. A delay of this process is not included either.
final class Silence: Sendable {
    /// The time between two checks.
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

    /// - Parameter processorWait: the total time that the process has waited for a processor.
    init(_ time: Timekeeper, processorWait: @escaping @Sendable () -> Duration) {
        self.time = time
        self.processorWait = processorWait
        state = Mutex(State(lastLook: time.elapsed(), waited: processorWait()))
    }

    /// Notes a message of the process.
    ///
    /// - Parameter isAnnounced: whether it announced a longer silence.
    func end(isAnnounced: Bool = false) {
        state.withLock { state in
            state.counted = .zero
            state.isAnnounced = isAnnounced
        }
    }

    /// Returns the silence so far. Call it every ``interval``.
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
