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

    /// What delivers the frames, by a name that is the same when it returns; empty when it is no camera.
    var camera: String { get }

    /// Why no frame comes at the moment, while the source goes on trying; nil when they come.
    var trouble: FrameSourceError? { get }

    /// Pictures that could not be read and were left out, since this was asked last.
    mutating func takeSkipped() -> [FrameSourceError]

    /// Films nothing until ``resume()``; what was filmed before is forgotten.
    mutating func pause()
    mutating func resume()

    /// Whether small pictures will do, where they cost less than whole ones.
    mutating func sparesSize(_ isSpared: Bool)

    /// Waits for a frame and lends it to `body`, which is called at most once, before this returns.
    ///
    /// - Parameter limit: the longest wait; without a frame until then the answer is `.nothing`.
    /// - Throws: when the source is broken. It is not asked again after that, nor after `.ended`.
    mutating func lendNext(
        within limit: Duration, to body: (borrowing Frame) -> Void
    ) throws(FrameSourceError) -> FrameSourceAnswer
}

/// A source that is no camera has nothing to close.
extension FrameSource where Self: ~Copyable {
    public var camera: String { "" }
    public var trouble: FrameSourceError? { nil }
    public mutating func takeSkipped() -> [FrameSourceError] { [] }
    public mutating func pause() {}
    public mutating func resume() {}
    public mutating func sparesSize(_ isSpared: Bool) {}
}
