// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LinuxSystem
import Synchronization

/// Passes the newest frame from a reading thread to the consumer. Three buffers rotate: one is filled, one waits here,
/// one is lent. Nothing is copied.
final class FrameMailbox: Sendable {
    private struct State {
        var waiting = FrameBuffer()
        var isFresh = false
        var dropped: UInt64 = 0
        var trouble: FrameSourceError?
        var end: Result<Void, FrameSourceError>?
    }

    private let state = Mutex(State())
    private let news = Waker.required()

    var dropped: UInt64 { state.withLock { $0.dropped } }

    /// The reason why no frame comes at the moment; nil while they come.
    var trouble: FrameSourceError? {
        get { state.withLock { $0.trouble } }
        set { state.withLock { $0.trouble = newValue } }
    }

    /// Forgets the frame that waits.
    func clear() { state.withLock { $0.isFresh = false } }

    /// Stores a frame; `buffer` becomes a free buffer to fill.
    func put(_ buffer: inout FrameBuffer) {
        state.withLock { state in
            swap(&state.waiting, &buffer)
            if state.isFresh { state.dropped += 1 }
            state.isFresh = true
            state.trouble = nil
        }
        news.raise()
    }

    /// Notes that no frame follows.
    func end(_ result: Result<Void, FrameSourceError>) {
        state.withLock { $0.end = result }
        news.raise()
    }

    /// Takes the newest frame, at most once each.
    func take(_ buffer: inout FrameBuffer, within limit: Duration) throws(FrameSourceError) -> FrameSourceAnswer {
        if let answer = try takeNow(&buffer) { return answer }
        guard news.wait(within: limit) else { return .nothing }
        news.lower()
        return try takeNow(&buffer) ?? .nothing
    }

    private func takeNow(_ buffer: inout FrameBuffer) throws(FrameSourceError) -> FrameSourceAnswer? {
        let answer: Result<FrameSourceAnswer, FrameSourceError>? = state.withLock { state in
            if state.isFresh {
                swap(&state.waiting, &buffer)
                state.isFresh = false
                return .success(.lent)
            }
            return state.end?.map { .ended }
        }
        return try answer?.get()
    }
}
