// SPDX-License-Identifier: Apache-2.0

/// Some GPIO lines of one chip, held for one use, at most 64. Destroying the bank releases them.
///
/// Lines are bits in a word, the first line the lowest. A set bit is an active line, with a high or a low level.
public protocol LineBank: ~Copyable, SendableMetatype {
    /// Configures every line by the list, in its order; outputs get their values at once.
    ///
    /// - Throws: when the chip refuses or is gone. Lines before the refused one may have changed.
    mutating func configure(_ lines: [LineSettings]) throws(LineError)

    /// Sets all outputs; ignores the bits of inputs.
    mutating func set(_ active: UInt64) throws(LineError)

    /// Reads all lines. Debounced lines keep their old value while they bounce.
    mutating func values() throws(LineError) -> UInt64

    /// Waits for edges, for the limit, or until `stop` can be read.
    mutating func wait(within limit: Duration, orStop stop: Int32) throws(LineError) -> LineWait

    /// Takes the edges since the last call, the oldest first; never waits. If the caller is too slow the oldest are
    /// lost, which their sequence numbers show.
    mutating func takeEdges() throws(LineError) -> [LineEdge]
}

/// The settings of a GPIO line.
public struct LineSettings: Hashable, Sendable {
    public enum Bias: Hashable, Sendable { case disabled, pullUp, pullDown }

    public enum Drive: Hashable, Sendable {
        case pushPull
        /// Drives low, and releases the line instead of driving high.
        case openDrain
        /// Drives high, and releases the line instead of driving low.
        case openSource
    }

    public enum Role: Hashable, Sendable {
        /// - Parameters:
        ///   - edges: whether ``LineBank/takeEdges()`` reports changes.
        ///   - debounce: shorter changes are ignored; zero reports every change.
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
    /// The line's index in its bank.
    public let line: Int
    public let isActive: Bool
    /// Counts the edges of the bank from 1, lost ones included; wraps after 2^32.
    public let sequence: UInt32

    public init(line: Int, isActive: Bool, sequence: UInt32) {
        self.line = line
        self.isActive = isActive
        self.sequence = sequence
    }
}

/// The result of a wait for edges.
public enum LineWait: Hashable, Sendable {
    case edges, nothing, stopped
}

/// The reason why GPIO lines cannot be used: the failure, its place and the remedy.
public struct LineError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// There is no such chip, or no such line on it.
        case notFound
        /// The name fits several chips or lines.
        case ambiguous
        case notPermitted
        /// Another process has the line.
        case inUse
        /// The chip has disappeared.
        case gone
        /// The chip refuses the request.
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

/// Counts edges that were lost because the caller did not take them in time.
public struct EdgeCounter: Sendable {
    private var last: UInt32 = 0

    public init() {}

    /// - Returns: the number of missing edges before and among these.
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
    /// The time since any fixed beginning; never goes back.
    func now() -> Duration

    func pause(for duration: Duration)
}
