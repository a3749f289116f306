// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("PIN, verdict, and all ends of a login")
struct AuthenticationTests {
    @Test func countsDigitsAndNothingElse() {
        let typed = Visit.pin().play(
            """
            wait pin, entry 0 of 6
            # No session ends while the person types.
            key 2 => entry append, startTimer session 60s, startTimer entry 30s; entry 1 of 6
            type a => nothing
            key enter => nothing
            key 58312
            key 7 => startTimer entry 30s; entry 6 of 6
            """)
        // A digit that came as a plain key is not part of a PIN.
        #expect(typed.after { $0.keyPressed(.digit(5)) }.actions == [])
    }

    @Test func editsThePIN() {
        Visit.pin().play(
            """
            key 258
            key back => entry removeLast, startTimer entry; entry 2 of 6
            key clear => entry clear, startTimer entry; entry 0 of 6
            key back -> abort
            or
            # A pasted PIN is refused.
            key 25; lost => entry clear, startTimer entry; entry 0 of 6, hint pinKeyByKey
            key 2583; hint none; key enter -> perform finishAuthentication alice
            or
            # A keypad that goes takes the digits along. A terminal may show what is typed now: nothing is asked for.
            key 258; keypad gone => entry clear, startTimer entry; title keypadMissing, entry none
            keypad back => nothing
            entry 0 of 6; key 2583 enter -> perform finishAuthentication alice
            or
            # Walking away wipes it.
            key 258; time entry -> entry wipe, abort, closeSession timedOut
            """)
    }

    @Test func waitsForTheIdentitysPINLength() {
        Visit.pin("six-digits").play(
            """
            key 25830; key enter => nothing
            key 1 enter -> perform finishAuthentication six-digits
            """)
    }

    @Test func logsIn() {
        let visit = Visit.proving().play(
            """
            answer authenticated => startTimer usedCode login 600s, entry wipe, stopTimer session, stopTimer entry, \
            stopTimer wrongPIN, closeSession loggedIn, startTimer outcome 5s
            """)
        #expect(
            visit.view
                == KioskView(
                    .outcome, .success, title: Prompt(.success), lines: [Prompt(.successAt, [.service: "Example"])],
                    actions: [ViewAction(.enter, .actionContinue)], countdown: KioskTiming.success))
    }

    /// The person knows whose attempts they were.
    @Test(
        arguments: zip(
            EarlierWrongPINs.Day.allCases,
            [PromptKey.wrongPINsToday, .wrongPINsYesterday, .wrongPINsEarlier]))
    func tellsOfEarlierWrongPINs(_ day: EarlierWrongPINs.Day, _ key: PromptKey) {
        Visit.proving().answered(.authenticated(wrongPINs: EarlierWrongPINs(count: 2, day: day, time: "18:02")))
            .play("lines \(key)(2;18:02) + successAt(Example), tone success")
    }

    @Test func thePauseGrowsAfterAWrongPIN() {
        // An application names the person. Others have two attempts: UnverifiedUsersTests.
        var visit = Visit.pin("alice named alice@example.com verified")
        for seconds in [1, 2, 4, 8, 16, 16] {
            visit = visit.play(
                """
                key 2583 enter; fail wrongPIN sent -> startTimer wrongPIN \(seconds)s; title wrongPIN
                key 2 => nothing
                time wrongPIN => startTimer entry; entry 0 of 6
                """)
        }
    }

    @Test func aSessionThatTakesTooLongEnds() {
        Visit.consent("").play("time session -> abort, closeSession timedOut")
        // After the PIN the outcome is unknown.
        Visit.proving().play(
            """
            key back => nothing
            time session -> cancelStep, closeSession outcomeUnknown, no abort
            """)
    }

    @Test func stoppingGivesTheSessionUp() {
        Visit.pin().play(
            """
            key 25; stop => entry wipe, abort, closeSession stopped
            key enter => nothing
            qr login 2 => nothing
            """)
        Visit.proving().play("stop => cancelStep, entry wipe, closeSession outcomeUnknown")
        Visit().play("stop => nothing")
    }

    /// Answers and timers of an old session, in every state of a new one.
    @Test func ignoresAnOldSession() throws {
        let old = SessionNumber(0)
        let answers = try [
            "serviceFound", "backendOpened", "registrationStarted alice", "registrationConfirmed",
            "registrationFinished alice", "authenticationStarted", "authenticated",
        ].map { try Visit.answer($0.split(separator: " ").map(String.init)) }
        let states: [Visit] = [
            Visit(), .connecting, .openingBackend, .consent(""), .pin(), .proving(), .consented("startedRegistration"),
            .newPIN(), .newPINAgain,
        ]
        for state in states {
            var machine = state.machine
            for answer in answers { #expect(machine.stepEnded(.success(answer), session: old) == []) }
            #expect(machine.stepEnded(.failure(Samples.failure(.wrongPIN)), session: old) == [])
            for timer in [KioskTimer.session, .entry, .wrongPIN, .outcome, .wait] {
                #expect(machine.timerFired(timer, session: old) == [])
            }
            #expect(machine.view == state.view)
        }
    }
}
