// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LinuxSystem
import Synchronization

/// Passes the newest buffer from the reading thread to the consumer.
final class CameraMailbox: Sendable {
    private struct State {
        var waiting: CapturedBuffer?
        var counts = CameraCounts()
        var decoding = Decoding()
        var hasDecoded = false
        var trouble: FrameSourceError?
        var end: FrameSourceError?
        var taken: [ControlSetting] = []
        var camerasPassedOver: [String]?
        var formatsPassedOver: [String] = []
    }

    private let state = Mutex(State())
    private let news = Waker.required()

    var counts: CameraCounts { state.withLock { $0.counts } }

    /// The reason why no frame comes that can be decoded; nil while they come.
    var trouble: FrameSourceError? {
        get { state.withLock { $0.trouble } }
        set { state.withLock { $0.trouble = newValue } }
    }

    /// The controls that the camera's regulation is to have back.
    var taken: [ControlSetting] {
        get { state.withLock { $0.taken } }
        set { state.withLock { $0.taken = newValue } }
    }

    /// Cameras, sizes and formats that were passed over for the open ones, and why; nil while there was no choice.
    var passedOver: [String]? {
        state.withLock { state in
            state.camerasPassedOver.map { $0 + state.formatsPassedOver }
                ?? (state.formatsPassedOver.isEmpty ? nil : state.formatsPassedOver)
        }
    }

    /// - Parameter cameras: nil for the same as before, because the camera was known.
    func pass(over cameras: [String]?, formats: [String]) {
        state.withLock { state in
            state.camerasPassedOver = cameras ?? state.camerasPassedOver
            state.formatsPassedOver = formats
        }
    }

    /// Stores a buffer, and returns the replaced one to the driver.
    func put(_ buffer: CapturedBuffer, missed: UInt64) {
        let replaced: CapturedBuffer? = state.withLock { state in
            state.counts.missed += missed
            defer { state.waiting = buffer }
            if state.waiting != nil { state.counts.replaced += 1 }
            return state.waiting
        }
        if let replaced { replaced.stream.giveBack(replaced) }
        news.raise()
    }

    func count(_ change: (inout CameraCounts) -> Void) {
        state.withLock { change(&$0.counts) }
    }

    /// The consumer has decoded a frame: the camera works.
    func decoded(isFlawed: Bool) {
        state.withLock { state in
            state.decoding.succeeded()
            state.hasDecoded = true
            state.trouble = nil
            if isFlawed { state.counts.flawed += 1 }
        }
    }

    /// A frame came and could not be decoded.
    func undecoded(_ reason: String, at now: Duration) {
        state.withLock { state in
            state.decoding.failed(reason, at: now)
            state.counts.damaged += 1
        }
    }

    /// Whether a frame of the stream was decoded.
    var hasDecoded: Bool { state.withLock { $0.hasDecoded } }

    /// The reason why not one frame could be decoded for a while; nil while some can.
    func ailment(at now: Duration) -> String? { state.withLock { $0.decoding.ailment(at: now) } }

    /// Notes that a stream begins, and forgets the results of the previous stream.
    func begin() { state.withLock { ($0.decoding, $0.hasDecoded) = (Decoding(), false) } }

    /// Removes the waiting buffer of a stream that is over.
    func clear() {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
        if let waiting { waiting.stream.giveBack(waiting) }
    }

    /// Notes that no frame follows.
    func end(_ error: FrameSourceError) {
        state.withLock { $0.end = error }
        news.raise()
    }

    /// Takes the newest buffer, at most once each.
    func take(within limit: Duration) throws(FrameSourceError) -> CapturedBuffer? {
        if let buffer = try takeNow() { return buffer }
        guard news.wait(within: limit) else { return nil }
        news.lower()
        return try takeNow()
    }

    private func takeNow() throws(FrameSourceError) -> CapturedBuffer? {
        let answer: Result<CapturedBuffer?, FrameSourceError> = state.withLock { state in
            if let end = state.end { return .failure(end) }
            defer { state.waiting = nil }
            return .success(state.waiting)
        }
        return try answer.get()
    }
}
