// SPDX-License-Identifier: Apache-2.0

/// Where frames come from: a camera, a file, a stream. The consumer pulls.
///
/// A live source never queues: when it is asked, it lends the newest frame and drops those that came before.
public protocol FrameSource: ~Copyable {
    /// Whether frames keep coming on their own (a camera), so that one that was not read is followed by a similar one.
    /// When false, each frame is shown once and deserves every attempt.
    var isLive: Bool { get }

    /// Frames that came and were never lent, because a newer one replaced them.
    var dropped: UInt64 { get }

    /// Waits for a frame and lends it to `body`, which is called at most once, before this returns.
    ///
    /// - Parameter limit: the longest wait; without a frame until then the answer is `.nothing`.
    /// - Throws: when the source is broken. It is not asked again after that, nor after `.ended`.
    mutating func lendNext(
        within limit: Duration, to body: (borrowing Frame) -> Void
    ) throws(FrameSourceError) -> FrameSourceAnswer
}
