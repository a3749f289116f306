// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The clock of the machine.
struct SystemWallClock: WallClock {
    var now: WallTime { WallTime(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))) }

    func sleep(until deadline: WallTime) async throws {
        let remaining = deadline - now
        if remaining > .zero { try await Task.sleep(for: remaining) }
    }
}
