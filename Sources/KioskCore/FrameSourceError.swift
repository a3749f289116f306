// SPDX-License-Identifier: Apache-2.0

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
