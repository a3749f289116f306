// SPDX-License-Identifier: Apache-2.0

/// A source of frames: a camera, a file, a stream. The consumer pulls.
///
/// A live source never queues: it lends the newest frame and drops older ones.
public protocol FrameSource: ~Copyable {
    /// Whether frames keep coming by themselves (a camera), so that a similar one follows a frame that was not read.
    /// If false, each frame comes once and deserves every attempt.
    var isLive: Bool { get }

    /// Frames that came and were never lent, because a newer one replaced them.
    var dropped: UInt64 { get }

    /// Frames that came and could not be decoded.
    var damaged: UInt64 { get }

    /// Frames that break a rule of their format but were decoded.
    var flawed: UInt64 { get }

    /// The name of the camera; empty when the source is not a camera. The name is the same when the camera returns.
    var camera: String { get }

    /// The reason why no decodable frame comes while the source keeps trying; nil when frames come.
    var trouble: FrameSourceError? { get }

    /// The controls that were taken from the camera's own regulation, with the values to restore; empty while the
    /// camera regulates itself.
    var taken: [ControlSetting] { get }

    /// Cameras, sizes and formats that were passed over for the present ones, and why, a sentence each; nil when there
    /// was nothing to choose.
    var passedOver: [String]? { get }

    /// Takes the unreadable pictures that were left out since the last call.
    mutating func takeSkipped() -> [FrameSourceError]

    /// Stops filming until ``resume()`` and forgets earlier frames.
    mutating func pause()
    mutating func resume()

    /// Allows small pictures, where they cost less than whole ones.
    mutating func sparesSize(_ isSpared: Bool)

    /// Takes the result of the search in a frame. A camera may vary its exposure by it.
    mutating func hearSearch(_ view: CodeView)

    /// Waits for a frame and lends it to `body`, at most once, before this returns.
    ///
    /// - Parameter limit: the longest wait; without a frame until then the answer is `.nothing`.
    /// - Throws: when the source is broken. Do not ask it again after that, nor after `.ended`.
    mutating func lendNext(
        within limit: Duration, to body: (borrowing Frame) -> Void
    ) throws(FrameSourceError) -> FrameSourceAnswer
}

/// A source that is not a camera has nothing to close.
extension FrameSource where Self: ~Copyable {
    public var damaged: UInt64 { 0 }
    public var flawed: UInt64 { 0 }
    public var camera: String { "" }
    public var trouble: FrameSourceError? { nil }
    public var taken: [ControlSetting] { [] }
    public var passedOver: [String]? { nil }
    public mutating func takeSkipped() -> [FrameSourceError] { [] }
    public mutating func pause() {}
    public mutating func resume() {}
    public mutating func sparesSize(_ isSpared: Bool) {}
    public mutating func hearSearch(_ view: CodeView) {}
}

/// The answer of a frame source to a request for the next frame.
public enum FrameSourceAnswer: Sendable, Equatable {
    /// A frame was lent.
    case lent
    /// No frame came within the limit; ask again.
    case nothing
    /// The last frame of a file or stream was already lent.
    case ended
}

/// The reason why a frame source cannot deliver: the failure, its place and the remedy.
public struct FrameSourceError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Code: Sendable, Equatable {
        /// The text that names the source has no known form.
        case invalidSource
        /// There is no such file, folder or device.
        case notFound
        /// It exists but cannot be opened or read.
        case unreadable
        /// It is not a supported variety of PNG, JPEG or Y4M.
        case unsupportedFormat
        /// It claims a format and breaks its rules.
        case malformed
        /// The file or picture is too large.
        case tooLarge
        /// The folder holds no picture, the stream no frame.
        case empty
        /// This user, or this process, may not open it.
        case forbidden
        /// It exists but delivers nothing.
        case silent
        /// It delivers frames that cannot be decoded.
        case undecodable
        /// Another program uses the camera.
        case inUse
        /// Another camera has replaced the chosen one.
        case exchanged
    }

    public let code: Code
    /// The file, folder, stream or argument in question.
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
