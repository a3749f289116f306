// SPDX-License-Identifier: Apache-2.0

/// Time as it passes for the person who waits: network and other processes included.
enum WallClock {
    /// Nanoseconds since some instant.
    static func now() -> Double { Double((ContinuousClock.now - start) / .nanoseconds(1)) }

    private static let start = ContinuousClock.now
}
