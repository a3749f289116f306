// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import MPinClient

/// The step that the machine waits for.
struct StepUnderWay: Sendable {
    let step: KioskStep
    let session: SessionNumber
    /// The session's file.
    let file: SessionFile
    let cancellation = Wakeup()
}

/// Work for the SDK. Jobs run one at a time and in order, so that a step of a new session cannot overlap an old one.
enum Job: Sendable {
    /// The greatest number of waiting jobs. Sessions are slower than this, so a longer list means that the SDK hangs.
    static let capacity = 32

    case step(StepUnderWay)
    case abort(AbandonedSession)
    case forgetShares(KioskIdentity)
    case delete(KioskIdentity)
    case dismissGuests
    case forgetTries(IdentityKey)
    case adopt(@Sendable () async -> KioskSettings?)
    case applySetup(SecretBytes)
    case reset
}
