// SPDX-License-Identifier: Apache-2.0

/// Distinguishes occasional frames that cannot be decoded from a camera that delivers only such frames.
struct Decoding: Sendable, Equatable {
    /// A camera whose frames cannot be decoded for this time is asked for another format.
    static let patience = Duration.seconds(5)
    /// The fewest failures in that time: a slow camera is not given up after a single frame.
    private static let fewest = 3

    private var failures = 0
    private var since = Duration.zero
    private var reason = ""

    mutating func succeeded() { failures = 0 }

    mutating func failed(_ reason: String, at now: Duration) {
        if failures == 0 { since = now }
        failures += 1
        self.reason = reason
    }

    /// The reason why not one frame could be decoded lately; nil when one could, or when it is too early to say.
    func ailment(at now: Duration) -> String? {
        failures >= Decoding.fewest && now - since >= Decoding.patience ? reason : nil
    }
}
