// SPDX-License-Identifier: Apache-2.0

/// A clock that runs eight times as fast.
struct HurriedClock: Clock {
    private static let speed = 8
    private let real = ContinuousClock()
    private let start = ContinuousClock.now

    var now: ContinuousClock.Instant { start + (real.now - start) * HurriedClock.speed }
    var minimumResolution: Duration { real.minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await real.sleep(for: (deadline - now) / HurriedClock.speed)
    }
}
