// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// Keeps every log line, of every level.
final class LogCapture: Sendable {
    private let text = Mutex("")

    var everything: String { text.withLock { $0 } }

    func append(_ line: String) { text.withLock { $0 += line + "\n" } }

    var logger: Logger {
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
            capture.append("\(event.level) \(event.message) \(event.metadata ?? [:])")
        }
    }
}
