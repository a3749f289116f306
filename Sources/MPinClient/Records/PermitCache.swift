// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The second D-TA's permit share and the server's day that it is for.
struct PermitCache: Sendable, Equatable {
    let day: EpochDay
    let share: TimePermitShare
}
