// SPDX-License-Identifier: Apache-2.0

/// A clock with real time and sleeps of a few milliseconds at most: pauses between restarts are short, and a scanner
/// that is silent for a moment does not count as dead.
struct ImpatientClock: Clock {
    private static let longestSleep = Duration.milliseconds(5)
    private let real = ContinuousClock()

    var now: ContinuousClock.Instant { real.now }
    var minimumResolution: Duration { real.minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await real.sleep(until: min(deadline, now + ImpatientClock.longestSleep), tolerance: tolerance)
    }
}
