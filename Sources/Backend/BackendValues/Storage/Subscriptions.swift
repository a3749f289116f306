// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Streams of messages by topic.
package final class Subscriptions<Name: Hashable & Sendable>: Sendable {
    private typealias Continuation = AsyncStream<[UInt8]>.Continuation

    private struct State {
        var nextNumber: UInt64 = 0
        var continuations: [Name: [UInt64: Continuation]] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Yields the newest unread message sent after this call. The stream is dropped together with its reader.
    package func stream(_ name: Name) -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(1))
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

    package func contains(_ name: Name) -> Bool { state.withLock { $0.continuations[name] != nil } }

    package func wake(_ name: Name, _ message: [UInt8] = []) {
        let continuations = state.withLock { $0.continuations[name].map { Array($0.values) } ?? [] }
        for continuation in continuations { continuation.yield(message) }
    }

    package func wakeAll() {
        for continuation in state.withLock({ $0.continuations.values.flatMap(\.values) }) { continuation.yield([]) }
    }
}
