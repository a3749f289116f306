// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A value that is set once, later, and that anybody may wait for.
final class Eventually<Value: Sendable>: Sendable {
    private enum State {
        case waiting([UInt64: CheckedContinuation<Value, any Error>])
        case settled(Result<Value, any Error>)
    }

    private let state = Mutex<(State, UInt64)>((.waiting([:]), 0))

    /// Sets the outcome; a second call changes nothing.
    func settle(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
            guard case .waiting(let continuations) = state.0 else { return [] }
            state.0 = .settled(result)
            return Array(continuations.values)
        }
        for continuation in waiting { continuation.resume(with: result) }
    }

    /// - Throws: what it was settled with, or `CancellationError`.
    var value: Value {
        get async throws {
            if case .settled(let result) = state.withLock({ $0.0 }) { return try result.get() }
            let number = state.withLock { state in
                state.1 += 1
                return state.1
            }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let settled = state.withLock { state -> Result<Value, any Error>? in
                        switch state.0 {
                        case .settled(let result): return result
                        case .waiting where Task.isCancelled: return .failure(CancellationError())
                        case .waiting(var continuations):
                            continuations[number] = continuation
                            state.0 = .waiting(continuations)
                            return nil
                        }
                    }
                    if let settled { continuation.resume(with: settled) }
                }
            } onCancel: {
                let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
                    guard case .waiting(var continuations) = state.0 else { return nil }
                    let continuation = continuations.removeValue(forKey: number)
                    state.0 = .waiting(continuations)
                    return continuation
                }
                continuation?.resume(throwing: CancellationError())
            }
        }
    }
}
