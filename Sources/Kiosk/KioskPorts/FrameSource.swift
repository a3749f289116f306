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

    /// Frames that came and could not be decoded.
    var damaged: UInt64 { get }

    /// Frames that break a rule of their format and were decoded all the same.
    var flawed: UInt64 { get }

    /// The name of the camera that delivers the frames; empty when the source is no camera. The name is the same when
    /// the camera returns.
    var camera: String { get }

    /// Why no frame comes that can be decoded, while the source goes on trying; nil when they come.
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
    public var damaged: UInt64 { 0 }
    public var flawed: UInt64 { 0 }
    public var camera: String { "" }
    public var trouble: FrameSourceError? { nil }
    public mutating func takeSkipped() -> [FrameSourceError] { [] }
    public mutating func pause() {}
    public mutating func resume() {}
    public mutating func sparesSize(_ isSpared: Bool) {}
}

/// The answer of a frame source that was asked for the next frame.
public enum FrameSourceAnswer: Sendable, Equatable {
    /// A frame was lent.
    case lent
    /// No frame came within the limit; ask again.
    case nothing
    /// The last frame of a file or stream has been lent before.
    case ended
}

/// Why a frame source cannot deliver: what is wrong, where, and what to do about it.
public struct FrameSourceError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Code: Sendable, Equatable {
        /// The source's text follows no known form.
        case invalidSource
        /// There is no such file, folder or device.
        case notFound
        /// It is there but cannot be opened or read.
        case unreadable
        /// It is neither PNG, JPEG, PGM nor Y4M, or a variety of them that is not supported.
        case unsupportedFormat
        /// It claims a format and breaks its rules.
        case malformed
        /// It is larger than a file or picture may be here.
        case tooLarge
        /// The folder holds no picture, the stream no frame.
        case empty
        /// This user, or this process, may not open it.
        case forbidden
        /// It is there and delivers nothing.
        case silent
        /// It delivers frames, and none of them can be decoded.
        case undecodable
        /// Another program has the camera.
        case inUse
        /// Another camera is where the one was that had been chosen.
        case exchanged
    }

    public let code: Code
    /// The file, folder, stream or argument that is meant.
    public let place: String
    public let problem: String
    public let remedy: String

    public init(_ code: Code, at place: String, problem: String, remedy: String) {
        self.code = code
        self.place = place
        self.problem = problem
        self.remedy = remedy
    }

    public var description: String { "\(place): \(problem); \(remedy)" }
}
