// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// How time permits are asked for, where a backend uses them (milagro protocol, section 5).
protocol TimePermitDialect: Sendable {
    func firstTimePermitShare(of mpinID: MPinID) throws(MPinError) -> Exchange<FirstTimePermitShare>
    /// Nil when there is no permit storage.
    func storedTimePermitShare(_ first: FirstTimePermitShare) -> Exchange<TimePermitShare>?
    func secondTimePermitShare(_ first: FirstTimePermitShare) -> Exchange<TimePermitShare>
}

/// The first D-TA's permit share and where the second one is.
struct FirstTimePermitShare {
    let share: TimePermitShare
    /// The server's day: the device's own clock is not asked.
    let day: EpochDay
    /// Nil when there is no permit storage.
    let storageURL: WebAddress?
    let secondShareURL: WebAddress
}
