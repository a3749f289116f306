// SPDX-License-Identifier: Apache-2.0

/// Where the backend learns the time and waits. A test moves it by hand.
protocol WallClock: Sendable {
    var now: WallTime { get }

    /// Returns once `now` has reached `deadline`; throws `CancellationError` when the task is cancelled before.
    func sleep(until deadline: WallTime) async throws
}
