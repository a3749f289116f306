// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// One line of the record: who, when, which door, and what came of it.
struct OpeningRecord: Encodable, Sendable, Hashable {
    enum Outcome: String, Encodable, Sendable {
        case opened, failed, unknown
        /// Too often.
        case refused
    }

    let id: String
    let time: String
    let door: String
    /// The identity as the backend knows it: a record of openings that does not say for whom is none.
    let userID: String
    let outcome: Outcome
    /// Why it did not open.
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

/// JSON on one line, its keys in the order of the alphabet, so that two of the same are the same.
enum RecordEncoder {
    static func json(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }
}

/// A time of day as records have it: ISO 8601 in UTC, such as `2026-11-21T22:15:30Z`.
enum RecordedTime {
    /// - Parameter seconds: since 1970-01-01 UTC.
    static func text(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
