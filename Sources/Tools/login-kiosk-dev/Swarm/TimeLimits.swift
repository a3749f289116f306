// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Cancels work that exceeds its limit. One task watches all of it: with a sleep for each login a swarm of a thousand
/// logins per second would have two more tasks and a timer for each.
final class TimeLimits: Sendable {
    private struct Work {
        let end: ContinuousClock.Instant
        let cancel: @Sendable () -> Void
    }

    private struct State {
        var next: UInt64 = 0
        var underWay: [UInt64: Work] = [:]
    }

    private let state = Mutex(State())

    /// Returns the result of `work`; nil when it exceeds the limit. It is cancelled at the next check.
    func within<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        let task = Task(operation: work)
        let number = add(Work(end: .now + limit) { task.cancel() })
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        guard remove(number) else { return nil }
        return try result.get()
    }

    /// Checks for late work until the task is cancelled.
    func watch(every pause: Duration = .seconds(1)) async {
        while (try? await Task.sleep(for: pause)) != nil { cancelLate(.now) }
    }

    private func add(_ work: Work) -> UInt64 {
        state.withLock { state in
            state.next += 1
            state.underWay[state.next] = work
            return state.next
        }
    }

    /// - Returns: whether it was still listed, and so in time.
    private func remove(_ number: UInt64) -> Bool { state.withLock { $0.underWay.removeValue(forKey: number) != nil } }

    private func cancelLate(_ now: ContinuousClock.Instant) {
        let late = state.withLock { state in
            let late = state.underWay.filter { $0.value.end <= now }
            for number in late.keys { state.underWay[number] = nil }
            return late.values.map(\.cancel)
        }
        for cancel in late { cancel() }
    }
}
