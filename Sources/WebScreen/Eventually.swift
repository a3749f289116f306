// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A value that is known later, once.
final class Eventually<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, PageScreenError>?
        var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    var value: Value {
        get async throws {
            let waiter = state.withLock { state in
                state.nextWaiter += 1
                return state.nextWaiter
            }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let result = state.withLock { state -> Result<Value, any Error>? in
                        if Task.isCancelled { return .failure(CancellationError()) }
                        if let result = state.result { return result.mapError { $0 } }
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

    /// Later results than the first are dropped.
    func settle(_ result: Result<Value, PageScreenError>) {
        let waiting = state.withLock { state in
            guard state.result == nil else { return [Int: CheckedContinuation<Value, any Error>]() }
            state.result = result
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume(with: result.mapError { $0 as any Error }) }
    }
}
