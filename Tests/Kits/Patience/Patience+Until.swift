// SPDX-License-Identifier: Apache-2.0

import Glibc

extension Patience {
    /// The error of a wait whose time is over.
    public struct Over: Error, CustomStringConvertible {
        public let description: String
    }

    /// Waits until the condition is true, without holding a thread.
    ///
    /// The condition asks the thing itself: a server for an answer, not its log for a line.
    ///
    /// - Throws: ``Over``, which names the line of the call, when the time is over.
    public static func until(
        _ limit: Duration = .seconds(60), every interval: Duration = .milliseconds(2),
        isolation: isolated (any Actor)? = #isolation, file: String = #fileID, line: Int = #line,
        _ isSo: () async throws -> Bool
    ) async throws {
        let answer = try await wait(limit, every: interval) { try await isSo() ? true : nil }
        guard answer != nil else { throw Over(description: "waited in vain at \(file):\(line)") }
    }

    /// Sleeps for a moment on the calling thread, for a wait in a function that is not asynchronous.
    ///
    /// - Returns: false when the time is over.
    public mutating func pause() -> Bool {
        guard !isOver() else { return false }
        usleep(1000)
        return true
    }
}
