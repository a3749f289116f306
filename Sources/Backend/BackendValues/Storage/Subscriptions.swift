// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Wakes the tasks that wait for a name. Each has a stream.
package final class Subscriptions<Name: Hashable & Sendable>: Sendable {
    private typealias Continuation = AsyncStream<Void>.Continuation

    private struct State {
        var nextNumber: UInt64 = 0
        var continuations: [Name: [UInt64: Continuation]] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Yields once for all that happened since the last time. The stream is forgotten with its reader.
    package func stream(_ name: Name) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.nextNumber += 1
            state.continuations[name, default: [:]][state.nextNumber] = continuation
            return state.nextNumber
        }
        continuation.onTermination = { [self] _ in
            state.withLock { state in
                state.continuations[name]?[number] = nil
                if state.continuations[name]?.isEmpty == true { state.continuations[name] = nil }
            }
        }
        return stream
    }

    package func wake(_ name: Name) {
        let continuations = state.withLock { $0.continuations[name].map { Array($0.values) } ?? [] }
        for continuation in continuations { continuation.yield() }
    }

    package func wakeAll() {
        for continuation in state.withLock({ $0.continuations.values.flatMap(\.values) }) { continuation.yield() }
    }
}
