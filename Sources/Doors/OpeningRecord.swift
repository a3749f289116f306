// SPDX-License-Identifier: Apache-2.0

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
