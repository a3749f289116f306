// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Wakes one waiting task. Several signals without a waiting task are one.
final class Wakeup: Sendable {
    private struct State {
        var isSignalled = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func signal() {
        let waiter = state.withLock { state in
            let waiter = state.waiter
            state.waiter = nil
            state.isSignalled = waiter == nil
            return waiter
        }
        waiter?.resume()
    }

    /// Waits for a signal, or for the cancellation of the task. Only one task may wait at a time.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    if state.isSignalled || Task.isCancelled {
                        state.isSignalled = false
                        return true
                    }
                    state.waiter = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            signal()
        }
    }
}
