// SPDX-License-Identifier: Apache-2.0

/// The remaining time of a wait. It passes slower on a slower machine, and begins again at each progress.
public struct Patience {
    private let limit: Duration
    private var left: Duration
    private var looked = ContinuousClock.now

    /// - Parameter limit: the limit on an idle machine. The default is far longer than any wait, because reaching it
    ///   means that something hangs.
    public init(_ limit: Duration = .seconds(60)) {
        self.limit = limit
        left = limit
    }

    /// Returns whether the time is over. Call it in every round of a wait.
    public mutating func isOver() -> Bool {
        let now = ContinuousClock.now
        left -= (now - looked) / MachinePace.slowness
        looked = now
        return left <= .zero
    }

    /// Restarts the time because there was progress.
    public mutating func renew() { left = limit }

    /// Waits until the condition has a value, without holding a thread.
    ///
    /// - Parameters:
    ///   - progress: a value that changes while the awaited event approaches.
    /// - Returns: nil when the time is over.
    public static func wait<Result>(
        _ limit: Duration = .seconds(60), every interval: Duration = .milliseconds(20),
        isolation: isolated (any Actor)? = #isolation,
        progress: () -> Int = { 0 }, for condition: () async throws -> Result?
    ) async throws -> Result? {
        var patience = Patience(limit)
        var last = progress()
        // Endless changes are no progress.
        var renewals = 20
        while true {
            if let result = try await condition() { return result }
            let now = progress()
            if now != last, renewals > 0 {
                last = now
                renewals -= 1
                patience.renew()
            }
            if patience.isOver() { return nil }
            try await Task.sleep(for: interval)
        }
    }
}
