// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension KioskIdentity {
    /// How many digits are enough to try. Not more than the shortest PIN when the length is not known.
    var minimumPINLength: Int { (requiredPINLength ?? pinLength).map(KioskIdentity.possible) ?? Pin.lengths.lowerBound }

    /// How many digits a new PIN has at least; what the server wants goes before what the operator wants.
    func minimumNewPINLength(_ policy: KioskPolicy) -> Int {
        requiredPINLength.map(KioskIdentity.possible) ?? policy.minimumPINLength
    }

    /// How many digits are taken. As many as any PIN may have where only the person's own choice limits them: the screen
    /// must not tell how long that is.
    var pinCapacity: Int { requiredPINLength.map(KioskIdentity.possible) ?? Pin.lengths.upperBound }

    private static func possible(_ length: Int) -> Int {
        min(max(length, Pin.lengths.lowerBound), Pin.lengths.upperBound)
    }
}
