// SPDX-License-Identifier: Apache-2.0

/// A clock without its type: time counts from its making.
struct LinkTime: Sendable {
    let elapsed: @Sendable () -> Duration
    /// Throws when the task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void

    init<C: Clock<Duration>>(_ clock: C) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }
}
