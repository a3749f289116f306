// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("Ending the browser's session after a login")
struct LogoutTests {
    static func loggedIn(canLogout: Bool = true) -> KioskMachine {
        var machine = KioskMachine.authenticating()
        _ = machine.stepEnded(.success(.authenticated(canLogout: canLogout)), session: .one)
        return machine
    }

    static func loggingOut() -> KioskMachine {
        var machine = loggedIn()
        _ = machine.keyPressed(.digit(1))
        return machine
    }

    @Test func itIsOfferedOnlyWhereItIsPossible() {
        #expect(Self.loggedIn().view.actions.last == ViewAction(.digit(1), .actionLogout))
        var machine = Self.loggedIn(canLogout: false)
        #expect(machine.view.actions == [ViewAction(.enter, .actionContinue)])
        #expect(machine.keyPressed(.digit(1)) == [])
    }

    @Test func theBrowserIsLoggedOut() {
        var machine = Self.loggedIn()
        #expect(
            machine.keyPressed(.digit(1)) == [
                .startTimer(.outcome, KioskTiming.logout, .one), .perform(.logout(Samples.alice), .one),
            ])
        #expect(machine.view.stage == .loggingOut && machine.view.isBusy && !machine.isIdle)
        #expect(
            machine.stepEnded(.success(.loggedOut), session: .one) == [.startTimer(.outcome, KioskTiming.success, .one)]
        )
        #expect(machine.view.tone == .success && machine.view.title == Prompt(.loggedOut))
        // Only once.
        #expect(machine.keyPressed(.digit(1)) == [])
        _ = machine.keyPressed(.enter)
        #expect(machine.view.stage == .scan)
    }

    @Test func aFailureSendsThePersonToTheBrowser() {
        var machine = Self.loggingOut()
        _ = machine.stepEnded(.failure(Samples.failure(.unreachable)), session: .one)
        #expect(machine.view.tone == .failure && machine.view.title == Prompt(.logoutFailed))
        machine = Self.loggingOut()
        #expect(machine.timerFired(.outcome, session: .one).first == .cancelStep(.one))
        #expect(machine.view.title == Prompt(.logoutFailed))
        #expect(machine.stepEnded(.success(.loggedOut), session: .one) == [], "too late")
    }
}
