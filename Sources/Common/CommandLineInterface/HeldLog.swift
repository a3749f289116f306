// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
public import Logging
import Synchronization

/// Holds log lines back until a screen on the same terminal has closed, because they would overwrite it.
public final class HeldLog: Sendable {
    /// The largest number of held lines: more than anybody reads after a session at a terminal. Older lines are
    /// dropped.
    private static let capacity = 200

    private struct State {
        var lines: [String] = []
        var dropped = 0
    }

    private let state = Mutex(State())

    public init() {}

    public func append(_ line: String) {
        state.withLock { state in
            state.lines.append(line)
            guard state.lines.count > HeldLog.capacity else { return }
            state.lines.removeFirst()
            state.dropped += 1
        }
    }

    /// Writes the held lines to standard error.
    public func release() {
        let (lines, dropped) = state.withLock { state in
            defer { state = State() }
            return (state.lines, state.dropped)
        }
        let omission = dropped > 0 ? ["(\(dropped) earlier lines are gone)"] : []
        for line in omission + lines { StandardStream.error.write(line + "\n") }
    }
}

/// Sends a logger's lines to a ``HeldLog``.
public struct HeldLogHandler: LogHandler {
    let label: String
    let log: HeldLog
    public var metadata: Logger.Metadata = [:]
    public var logLevel = Logger.Level.info

    public init(label: String, log: HeldLog) {
        self.label = label
        self.log = log
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let values = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        log.append("\(Date().formatted(.iso8601)) \(event.level) \(label):\(values) \(event.message)")
    }
}
