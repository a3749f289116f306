// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a script.
public struct FlowScriptError: Error, Sendable, Hashable, CustomStringConvertible {
    /// From 1; 0 when it is the whole.
    public let line: Int
    public let problem: String

    init(line: Int, _ problem: String) {
        self.line = line
        self.problem = problem
    }

    public var description: String { line == 0 ? problem : "line \(line): \(problem)" }
}

/// What is wrong with a line.
struct FlowActionError: Error {
    let problem: String

    init(_ problem: String) { self.problem = problem }
}
