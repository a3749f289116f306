// SPDX-License-Identifier: Apache-2.0

/// What is left of the time that a test gives something: it runs slower where the machine is slower, and begins anew
/// when something has happened.
public struct Patience {
    private let limit: Duration
    private var left: Duration
    private var looked = ContinuousClock.now

    /// - Parameter limit: on an idle machine; by default far longer than anything takes there, because its end means
    ///   that something hangs.
    public init(_ limit: Duration = .seconds(60)) {
        self.limit = limit
        left = limit
    }

    /// Call it in every round of a wait.
    public mutating func isOver() -> Bool {
        let now = ContinuousClock.now
        left -= (now - looked) / MachinePace.slowness
        looked = now
        return left <= .zero
    }

    /// Something has happened, so that what is waited for is on its way.
    public mutating func renew() { left = limit }

    /// Waits, without holding a thread, until the condition has a value.
    ///
    /// - Parameters:
    ///   - progress: something that changes while what is waited for is on its way.
    /// - Returns: nil when patience ended.
    public static func wait<Result>(
        _ limit: Duration = .seconds(60), every interval: Duration = .milliseconds(20),
        isolation: isolated (any Actor)? = #isolation,
        progress: () -> Int = { 0 }, for condition: () async throws -> Result?
    ) async throws -> Result? {
        var patience = Patience(limit)
        var last = progress()
        // What goes on for ever is no progress.
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
