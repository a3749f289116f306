// SPDX-License-Identifier: Apache-2.0

/// Distinguishes a hand from a device that types by itself, such as a bar code scanner, by the times of the presses.
///
/// A device that types as slowly as a hand cannot be detected: docs/keypads.md describes the consequences.
struct TypingPace {
    /// Numbers of presses that no hand makes within the time: two keys of a chord, a short code, a long one. Scanners
    /// take 1 to 20 ms for a character; quick typists 50, and now and then 20 between two hands.
    static let limits: [(presses: Int, within: Duration)] = [
        (2, .milliseconds(8)), (4, .milliseconds(40)), (6, .milliseconds(150)),
    ]
    private static let most = limits.map(\.presses).max() ?? 0

    private var times: [Duration] = []

    /// - Parameter time: of a press, from any beginning. A clock that was set back restarts the measurement.
    mutating func isTooFast(at time: Duration) -> Bool {
        if let last = times.last, time < last { times.removeAll() }
        times = times.suffix(TypingPace.most - 1) + [time]
        return TypingPace.limits.contains { limit in
            times.count >= limit.presses && time - times[times.count - limit.presses] < limit.within
        }
    }
}
