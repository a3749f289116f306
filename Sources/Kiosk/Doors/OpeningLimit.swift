// SPDX-License-Identifier: Apache-2.0

/// Limits the openings of a door, by all persons together and by each person.
///
/// Each limit allows a number of openings at once, and afterwards one in every interval (the generic cell rate
/// algorithm, ITU-T I.371). A person is forgotten when their openings no longer limit a new one. The door's own limit
/// bounds the number of people, and so the memory.
struct OpeningLimit: Sendable {
    struct Rate: Sendable {
        let atOnce: Int
        let interval: Duration
    }

    static let everybody = Rate(atOnce: 10, interval: .seconds(6))
    static let onePerson = Rate(atOnce: 3, interval: .seconds(20))

    /// The theoretical arrival time of the algorithm: when the next opening would come if all were spread evenly.
    private var doorArrival = Duration.zero
    private var personArrivals: [String: Duration] = [:]

    /// - Returns: nil when the door may be opened now.
    func wait(for userID: String?, now: Duration) -> Duration? {
        let door = OpeningLimit.wait(doorArrival, now, OpeningLimit.everybody)
        let arrival = userID.flatMap { personArrivals[$0] }
        let person = arrival.flatMap { OpeningLimit.wait($0, now, OpeningLimit.onePerson) }
        return [door, person].compactMap(\.self).max()
    }

    /// Counts an opening, if it is allowed.
    ///
    /// - Returns: nil when it is allowed, else the time to wait.
    mutating func open(for userID: String, now: Duration) -> Duration? {
        if let wait = wait(for: userID, now: now) { return wait }
        personArrivals = personArrivals.filter { $0.value > now }
        doorArrival = max(doorArrival, now) + OpeningLimit.everybody.interval
        personArrivals[userID] = max(personArrivals[userID] ?? now, now) + OpeningLimit.onePerson.interval
        return nil
    }

    /// The number of remembered people, for tests.
    var count: Int { personArrivals.count }

    private static func wait(_ arrival: Duration, _ now: Duration, _ rate: Rate) -> Duration? {
        let wait = arrival - now - rate.interval * (rate.atOnce - 1)
        return wait > .zero ? wait : nil
    }
}
