// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import Testing

/// Lost identities are reported where people look for theirs, and where the operator passes by.
@Suite struct LostIdentitiesTests {
    @Test func theScanScreenSaysHowMany() {
        for trustsAnything in [true, false] {
            Visit(KioskMachine(trustsAnything: trustsAnything, lostIdentities: 3)).play("start; hint identitiesLost(3)")
            Visit(KioskMachine(trustsAnything: trustsAnything)).play("start; hint none")
        }
        // A notice of the moment comes first.
        Visit(KioskMachine(trustsAnything: true, lostIdentities: 3)).play("qr other; hint invalidCode")
    }

    @Test func whoIsNotFoundIsTold() {
        RegistrationTests.typing("a", machine: KioskMachine(trustsAnything: true, lostIdentities: 1))
            .play("wait identityEntry, hint identitiesLost(1)")
    }
}
