// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A value that becomes known once, later, and that any number of tasks can wait for.
public final class Eventually<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, any Error>?
        var waiting: [UInt64: CheckedContinuation<Value, any Error>] = [:]
        var nextWaiter: UInt64 = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// - Throws: the error that it was settled with, or `CancellationError` when the task was cancelled before.
    public var value: Value {
        get async throws {
            let waiter = state.withLock { state in
                state.nextWaiter += 1
                return state.nextWaiter
            }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let result = state.withLock { state -> Result<Value, any Error>? in
                        if let result = state.result { return result }
                        // `onCancel` may have run already, and would not find this waiter again.
                        if Task.isCancelled { return .failure(CancellationError()) }
                        state.waiting[waiter] = continuation
                        return nil
                    }
                    if let result { continuation.resume(with: result) }
                }
            } onCancel: {
                state.withLock { $0.waiting.removeValue(forKey: waiter) }?.resume(throwing: CancellationError())
            }
        }
    }

    /// Keeps the first result; later ones are dropped.
    public func settle(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state in
            guard state.result == nil else { return [UInt64: CheckedContinuation<Value, any Error>]() }
            state.result = result
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume(with: result) }
    }
}
