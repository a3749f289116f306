// SPDX-License-Identifier: Apache-2.0

/// Why GPIO lines cannot be had or used: what is wrong, where, and what to do about it.
public struct LineError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// There is no such chip, or no such line on it.
        case notFound
        /// The name fits several chips or lines.
        case ambiguous
        case notPermitted
        /// Somebody else has the line.
        case inUse
        /// The chip was there and is not any more.
        case gone
        /// The chip does not do what was asked.
        case refused
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
