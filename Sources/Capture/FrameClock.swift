// SPDX-License-Identifier: Apache-2.0

/// The clock that paces pictures and stamps frames; tests bring their own.
public protocol FrameClock: Sendable {
    /// Since the machine started, as `Frame.captured` counts.
    var now: Duration { get }
    /// Blocks the calling thread.
    func wait(_ duration: Duration)
}
