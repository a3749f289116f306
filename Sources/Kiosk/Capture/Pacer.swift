// SPDX-License-Identifier: Apache-2.0

/// Spaces frames evenly, the first one at once. Frames that come late do not make the next ones hurry.
public struct Pacer: Sendable {
    private let clock: any FrameClock
    private let interval: Duration
    private var due: Duration?

    /// - Parameter rate: frames a second.
    public init(rate: Double, clock: any FrameClock) {
        self.clock = clock
        interval = .seconds(1 / rate)
    }

    /// Waits until the next frame is due.
    ///
    /// - Returns: its instant, or nil when it is not due within `limit`; then the whole limit was waited.
    public mutating func next(within limit: Duration) -> Duration? {
        let now = clock.now
        let instant = due ?? now
        guard instant - now <= limit else {
            clock.wait(limit)
            return nil
        }
        if instant > now { clock.wait(instant - now) }
        due = max(instant, now) + interval
        return max(instant, now)
    }
}
