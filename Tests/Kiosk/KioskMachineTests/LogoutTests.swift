// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("Ending the browser's session after a login")
struct LogoutTests {
    @Test func isOfferedOnlyWhereItIsPossible() {
        Visit.proving().play(
            """
            answer authenticated logout; keys enter actionContinue + 1 actionLogout
            or
            answer authenticated; keys enter actionContinue; key 1 => nothing
            """)
    }

    @Test func logsTheBrowserOut() {
        let leaving = Visit.proving().play(
            """
            answer authenticated logout; key 1 => startTimer outcome 15s, perform logout alice; wait loggingOut
            """)
        #expect(leaving.view.isBusy && !leaving.machine.isIdle)
        leaving.play(
            """
            answer loggedOut => startTimer outcome 5s; tone success, title loggedOut
            # Only once.
            key 1 => nothing
            key enter; wait scan
            or
            # A failure sends the person to the browser.
            fail unreachable; tone failure, title logoutFailed
            or
            time outcome -> cancelStep; title logoutFailed; answer loggedOut => nothing
            """)
    }
}
