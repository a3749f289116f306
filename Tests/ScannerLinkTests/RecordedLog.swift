// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// A log that is asked afterwards.
final class RecordedLog: LogHandler, Sendable {
    private let entries = Mutex<[(level: Logger.Level, message: String)]>([])

    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    func messages(at level: Logger.Level) -> [String] {
        entries.withLock { $0.filter { $0.level == level }.map(\.message) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        entries.withLock { $0.append((event.level, event.message.description)) }
    }
}
