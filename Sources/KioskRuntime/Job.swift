// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues

/// Work for the SDK. Jobs are done one at a time and in order, so that a step of a new session cannot meet the rest of
/// an old one.
enum Job: Sendable {
    /// As many as can wait; sessions are slower than this, so a longer list means that the SDK hangs.
    static let capacity = 32

    case step(StepUnderWay)
    case abort(AccessCode)
    case forgetShares(KioskIdentity)
    case delete(KioskIdentity)
    case adopt(@Sendable () async -> KioskSettings?)

    var isStep: Bool { if case .step = self { true } else { false } }
}
