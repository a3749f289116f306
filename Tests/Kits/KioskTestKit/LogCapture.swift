// SPDX-License-Identifier: Apache-2.0

public import Logging
import Synchronization

/// Records all log lines of every level.
public final class LogCapture: Sendable {
    private struct Line {
        let level: Logger.Level
        let message: String
        let metadata: Logger.Metadata
    }

    private let lines = Mutex<[Line]>([])

    public init() {}

    /// All lines: level, message and metadata of each.
    public var text: String {
        lines.withLock { $0.map { "\($0.level) \($0.message) \($0.metadata)" }.joined(separator: "\n") }
    }

    /// Returns the messages of one level without their metadata.
    public func messages(at level: Logger.Level) -> [String] {
        lines.withLock { $0.filter { $0.level == level }.map(\.message) }
    }

    public var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(capture: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let capture: LogCapture
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { _, own in own }
            capture.lines.withLock {
                $0.append(Line(level: event.level, message: event.message.description, metadata: all))
            }
        }
    }
}
