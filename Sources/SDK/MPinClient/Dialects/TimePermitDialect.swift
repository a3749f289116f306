// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// The requests for time permits, for backends that use them (docs/protocol/milagro.md, section 5).
protocol TimePermitDialect: Sendable {
    func firstTimePermitShare(of mpinID: MPinID) throws(MPinError) -> Exchange<FirstTimePermitShare>
    /// Nil when there is no permit storage.
    func storedTimePermitShare(_ first: FirstTimePermitShare) -> Exchange<TimePermitShare>?
    func secondTimePermitShare(_ first: FirstTimePermitShare) -> Exchange<TimePermitShare>
}

/// The first D-TA's permit share, and the address of the second one.
struct FirstTimePermitShare {
    let share: TimePermitShare
    /// The day by the server's clock; the device's clock does not matter.
    let day: EpochDay
    /// Nil when there is no permit storage.
    let storageURL: WebAddress?
    let secondShareURL: WebAddress
}
