// SPDX-License-Identifier: Apache-2.0

/// Why a page could not be fetched or filmed: what is wrong, where, and what to do about it.
public struct BrowserError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Code: Sendable, Equatable {
        case invalidAddress
        /// No connection, no answer in time, or cancelled.
        case unreachable
        /// More redirects than a browser should follow, or one that leads away from the web.
        case badRedirect
        /// The body is larger than `BrowserSession.maximumBody`.
        case tooLarge
        /// The server answered with something else than what was asked for.
        case unexpectedReply
        /// The page shows no picture, or several none of which is named a QR code.
        case noPicture
        /// The picture cannot be read.
        case badPicture
        /// The film has nowhere to go.
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
