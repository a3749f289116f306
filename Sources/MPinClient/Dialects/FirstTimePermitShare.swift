// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// The first D-TA's permit share and where the second one is.
struct FirstTimePermitShare {
    let share: TimePermitShare
    /// The server's day: the device's own clock is not asked.
    let day: EpochDay
    /// Nil when there is no permit storage.
    let storageURL: WebAddress?
    let secondShareURL: WebAddress
}
