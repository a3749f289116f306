// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Logging

/// Lines for the journal, each preceded by its priority (sd-daemon(3)), so that `journalctl -p warning` filters them.
/// The journal adds the time.
struct JournalLogHandler: LogHandler {
    let label: String
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    init(label: String) { self.label = label }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let values = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        let text = "\(label):\(values) \(event.message)"
        // A line break would begin another entry, with a priority of its own choice.
        let line = String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 ? " " : $0 })
        StandardStream.error.write("<\(event.level.priority)>\(String(line))\n")
    }
}

extension Logger.Level {
    /// The priority as a number of syslog(3).
    fileprivate var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
