// SPDX-License-Identifier: Apache-2.0

/// Some GPIO lines of one chip, held for one use, at most 64. They are let go when the bank goes.
///
/// Lines are bits in a word, the first line the lowest; a set bit is an active line, whatever its level.
public protocol LineBank: ~Copyable, SendableMetatype {
    /// Makes every line what the list says, in its order; outputs have their value at once.
    ///
    /// - Throws: when the chip refuses or is gone. Lines before the refused one may have changed.
    mutating func configure(_ lines: [LineSettings]) throws(LineError)

    /// Sets all outputs; the bits of inputs do nothing.
    mutating func set(_ active: UInt64) throws(LineError)

    /// Reads all lines, those that are debounced as they were before they began to bounce.
    mutating func values() throws(LineError) -> UInt64

    /// Waits for edges, for the end of the limit, or until `stop` can be read.
    mutating func wait(within limit: Duration, orStop stop: Int32) throws(LineError) -> LineWait

    /// The edges that came and were not taken yet, the oldest first; never waits. When the caller does not take them in
    /// time the oldest are lost, which their sequence shows.
    mutating func takeEdges() throws(LineError) -> [LineEdge]
}

/// The settings of a GPIO line.
public struct LineSettings: Hashable, Sendable {
    public enum Bias: Hashable, Sendable { case disabled, pullUp, pullDown }

    public enum Drive: Hashable, Sendable {
        case pushPull
        /// Drives low; where it would drive high, it lets go.
        case openDrain
        /// Drives high; where it would drive low, it lets go.
        case openSource
    }

    public enum Role: Hashable, Sendable {
        /// - Parameters:
        ///   - edges: whether changes are told by ``LineBank/takeEdges()``.
        ///   - debounce: changes shorter than this do not count; zero counts every one.
        case input(Bias, edges: Bool = false, debounce: Duration = .zero)
        case output(isActive: Bool, Drive = .pushPull)
    }

    public var role: Role
    /// Whether low is active.
    public var isActiveLow: Bool

    public init(_ role: Role, isActiveLow: Bool = false) {
        self.role = role
        self.isActiveLow = isActiveLow
    }
}

/// A change of an input line.
public struct LineEdge: Hashable, Sendable {
    /// The line's place in its bank.
    public let line: Int
    public let isActive: Bool
    /// Counts the edges of the bank from 1, lost ones included; begins anew after 2^32.
    public let sequence: UInt32

    public init(line: Int, isActive: Bool, sequence: UInt32) {
        self.line = line
        self.isActive = isActive
        self.sequence = sequence
    }
}

/// How a wait for edges ended.
public enum LineWait: Hashable, Sendable {
    case edges, nothing, stopped
}

/// Why GPIO lines cannot be had or used: what is wrong, where, and what to do about it.
public struct LineError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// There is no such chip, or no such line on it.
        case notFound
        /// The name fits several chips or lines.
        case ambiguous
        case notPermitted
        /// Another process has the line.
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

/// Notices edges that were lost because the caller did not take them in time.
public struct EdgeCounter: Sendable {
    private var last: UInt32 = 0

    public init() {}

    /// - Returns: how many edges are missing before and among these.
    public mutating func lost(in edges: [LineEdge]) -> Int {
        var lost = 0
        for edge in edges {
            lost += Int(edge.sequence &- last &- 1)
            last = edge.sequence
        }
        return lost
    }
}

/// The clock of a thread that may block.
public protocol ThreadClock: Sendable {
    /// Since any beginning; never goes back.
    func now() -> Duration

    func pause(for duration: Duration)
}
