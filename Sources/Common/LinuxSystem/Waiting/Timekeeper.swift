// SPDX-License-Identifier: Apache-2.0

/// A clock without its type. Its time begins when it is made.
public struct Timekeeper: Sendable {
    public let elapsed: @Sendable () -> Duration
    /// Throws when the task is cancelled.
    public let sleep: @Sendable (Duration) async throws -> Void
    /// Sleeps until this time has elapsed. Throws when the task is cancelled.
    public let sleepUntil: @Sendable (Duration) async throws -> Void

    public init<C: Clock<Duration>>(_ clock: C) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
        sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// Runs `work` and cancels it after `limit`; returns when it has ended.
    public func limit<Result: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async -> Result
    ) async -> Result {
        let deadline = elapsed() + limit
        return await withTaskGroup(of: Result?.self) { group in
            group.addTask { await work() }
            group.addTask {
                try? await sleepUntil(deadline)
                return nil
            }
            while true {
                let ended = await group.next()
                group.cancelAll()
                if case let result?? = ended { return result }
            }
        }
    }
}
