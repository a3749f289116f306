// SPDX-License-Identifier: Apache-2.0

/// The brake on PINs of people whom nothing but a key named: no login page and no personal card.
///
/// Three wrong ones within ten minutes make the next such person wait, and each wrong one from then on doubles the wait.
/// A right PIN does not release it: a person who has an identity here could type wrong ones for others in between. It is
/// in memory only: a power cut ends it (`docs/threat-model.md`, T35).
struct PickedBrake: Sendable, Hashable {
    /// How many wrong PINs within ``window`` begin the waiting.
    static let limit = 3
    static let window = Duration.seconds(600)
    static let firstWait = Duration.seconds(60)
    static let longestWait = Duration.seconds(900)
    /// The time after a wait without a wrong PIN, after which the next one is the first again.
    static let forgetting = Duration.seconds(3600)

    /// When the newest wrong PINs were, oldest first; no more than ``limit``.
    private var wrongPINs: [Duration] = []
    /// How often a person had to wait in this series.
    private var waits = 0
    private var end = Duration.zero

    /// A PIN of a person whom nothing named was wrong.
    ///
    /// - Parameter now: on a clock that only goes forward.
    mutating func noteWrongPIN(at now: Duration) {
        if waits > 0, now >= end + PickedBrake.forgetting { waits = 0 }
        wrongPINs = wrongPINs.filter { now - $0 < PickedBrake.window }.suffix(PickedBrake.limit - 1) + [now]
        guard waits > 0 || wrongPINs.count >= PickedBrake.limit else { return }
        // Long before the shift could overflow the longest wait is reached.
        end = now + min(PickedBrake.firstWait * (1 << min(waits, 8)), PickedBrake.longestWait)
        waits += 1
    }

    /// How long the next such person has to wait; nil when it may go on.
    func wait(at now: Duration) -> Duration? { end > now ? end - now : nil }
}
