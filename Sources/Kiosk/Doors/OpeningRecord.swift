// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// One line of the record: the person, the time, the door, and the outcome.
struct OpeningRecord: Encodable, Sendable, Hashable {
    enum Outcome: String, Encodable, Sendable {
        case opened, failed, unknown
        /// Opened too often.
        case refused
    }

    let id: String
    let time: String
    let door: String
    /// The identity as the backend knows it. Without it the record would be useless.
    let userID: String
    let outcome: Outcome
    /// Why the door did not open.
    let reason: String?

    init(_ opening: Opening, _ outcome: Outcome, reason: String? = nil) {
        id = opening.id
        time = RecordedTime.text(opening.time)
        door = opening.door
        userID = opening.userID
        self.outcome = outcome
        self.reason = reason
    }
}

/// JSON on one line with sorted keys, so that equal records are equal bytes.
enum RecordEncoder {
    static func json(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }
}

/// A time in records: ISO 8601 in UTC, such as `2026-11-21T22:15:30Z`.
enum RecordedTime {
    /// - Parameter seconds: since 1970-01-01 UTC.
    static func text(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
