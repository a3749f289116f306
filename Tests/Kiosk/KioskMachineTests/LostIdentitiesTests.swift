// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues
import Testing
@testable import KioskMachine

/// Lost identities are reported where people look for theirs, and where the operator passes by.
@Suite struct LostIdentitiesTests {
    @Test func theScanScreenSaysHowMany() {
        for trustsAnything in [true, false] {
            var machine = KioskMachine(trustsAnything: trustsAnything, lostIdentities: 3)
            _ = machine.start()
            #expect(machine.view.hint == Prompt(.identitiesLost, [.number: "3"]))
            #expect(KioskMachine(trustsAnything: trustsAnything).view.hint == nil)
        }
    }

    @Test func aNoticeOfTheMomentComesFirst() {
        var machine = KioskMachine(trustsAnything: true, lostIdentities: 3)
        machine.state = .idle(ScanScreen(notice: Prompt(.invalidCode)))
        #expect(machine.view.hint == Prompt(.invalidCode))
    }

    @Test func whoIsNotFoundIsTold() {
        var machine = KioskMachine(trustsAnything: true, lostIdentities: 1)
        machine.state = RegistrationTests.typing("a").state
        #expect(machine.view.stage == .identityEntry)
        #expect(machine.view.hint == Prompt(.identitiesLost, [.number: "1"]))
    }
}
