// SPDX-License-Identifier: Apache-2.0

/// The reason why a page cannot be fetched or filmed: the fault, its place and the remedy.
public struct BrowserError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Code: Sendable, Equatable {
        case invalidAddress
        /// No connection, no answer in time, or cancellation.
        case unreachable
        /// More redirects than a browser should follow, or one that leads away from the web.
        case badRedirect
        /// The body is larger than `BrowserSession.maximumBody`.
        case tooLarge
        /// The server sent something other than what was requested.
        case unexpectedReply
        /// The page shows no picture, or several without one that is named a QR code.
        case noPicture
        /// The picture cannot be read.
        case badPicture
        /// There is no pipe for the film.
        case noPipe
    }

    public let code: Code
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
