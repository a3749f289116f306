// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import Testing

/// Changing the PIN: the old one, the new one twice, and the server's answer.
@Suite struct ChangePINTests {
    /// The screen where the old PIN is typed.
    static let askingOldPIN = Visit.task(.changePIN).play("answer authenticationStarted")
    static let changing = askingOldPIN.play("key 2583 enter 7193 enter 7193 enter")

    @Test func takesTheOldPINAndTheNewOneTwice() {
        let changing = Self.askingOldPIN.play(
            """
            wait pin, title currentPINTitle, line taskChangePIN
            key 2583 enter -> entry keepOld, no perform; wait newPIN, line currentPINCheckedLater
            key 7193 enter -> entry checkNew; wait newPINAgain, line currentPINCheckedLater
            key 7193 enter -> entry compareNew, perform finishAuthentication alice changePIN
            time wait; tone working, title changingPIN
            """)
        #expect(changing.machine.refuses(.authenticated()), "the PIN is not changed by its being right")
        changing.play("answer taskDone -> entry wipe, closeSession pinChanged; tone success, title pinChanged")
    }

    /// A person who leaves in between keeps the old PIN, and nothing was sent.
    @Test(arguments: ["", "key 2583 enter", "key 2583 enter 7193 enter"])
    func leavingCostsNothing(way: String) {
        var visit = Self.askingOldPIN.play(way)
        while visit.machine.session != nil {
            visit = visit.play("key back -> no perform, no forgetShares, no deleteIdentity")
        }
        visit.play("-> closeSession declined; title taskLeft")
    }

    @Test func refusesTheOldPINAsTheNewOne() {
        Self.askingOldPIN.play(
            "key 2583 enter 2583 enter -> entry checkNew, entry wipe; wait newPIN, hint newPINUnchanged")
    }

    @Test func aWrongOldPINIsTypedAgain() {
        // The title stays until the PIN is typed, not until the first digit.
        Self.changing.play(
            """
            fail wrongPIN; wait wrongPIN; time wrongPIN; wait pin, hint triesLast, title currentPINAgainTitle
            key 2; title currentPINAgainTitle; key 58; title currentPINAgainTitle
            """)
    }

    /// If the kiosk gets no answer it is unknown which of the two PINs works.
    @Test func silenceIsNotSuccess() {
        Self.changing.play(
            """
            time session -> closeSession outcomeUnknown; title pinChangeUnknown
            or
            stop -> closeSession outcomeUnknown
            """)
    }

    @Test func itIsForThoseWhoHaveAnIdentity() {
        Visit.task(.changePIN, "").play("wait outcome, title identitiesNone")
        Visit.task(.changePIN, "alice bob").play(
            "wait identityChoice, line choiceHelpKnown; key 2 enter -> perform startAuthentication bob changePIN")
    }
}
