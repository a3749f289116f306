// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A clock that can be read and waited for. Tests set its time by hand.
package protocol WallClock: Sendable {
    var now: WallTime { get }

    /// Returns once `now` has reached `deadline`; throws `CancellationError` when the task is cancelled before.
    func sleep(until deadline: WallTime) async throws
}

/// The clock of the machine.
package struct SystemWallClock: WallClock {
    package init() {}

    package var now: WallTime { WallTime(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))) }

    package func sleep(until deadline: WallTime) async throws {
        let remaining = deadline - now
        if remaining > .zero { try await Task.sleep(for: remaining) }
    }
}
