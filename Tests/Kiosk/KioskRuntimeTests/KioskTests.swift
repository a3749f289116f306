// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import Testing
@testable import KioskRuntime

@Suite("The kiosk between its ports", .timeLimit(.minutes(10)))
struct KioskTests {
    @Test func aWrongPINThenTheRightOne() async throws {
        let rig = try KioskRig()
        try await rig.run(
            """
            qr login; wait consent; camera paused; key enter; wait pin
            key 3917 enter; wait wrongPIN; time 1; wait pin
            key 2583 enter; wait outcome, title success; time 5; wait scan; camera on
            """)
        #expect(
            rig.steps.calls == [
                "readService https://login.example.com", "openBackend c0de1", "startAuthentication alice@example.com",
                "finishAuthentication 3917", "finishAuthentication 2583",
            ])
        #expect(rig.scanner.switched == [false, true])
        let one = SessionNumber(1)
        #expect(
            await rig.events() == [
                .started, .sessionOpened(one, domain: "login.example.com"), .consented(one), .unverifiedWrongPIN(one),
                .sessionClosed(one, .loggedIn), .stopped,
            ])
        // The log keeps no secret.
        #expect(rig.log.text.contains("session opened"))
        for secret in ["c0de1", "3917", "2583"] { #expect(!rig.log.text.contains(secret)) }
    }

    @Test func registersOnTheWay() async throws {
        let rig = try KioskRig(session: BackendSession())
        rig.steps.fail("confirmRegistration", .notVerified)
        try await rig.run { rig in
            try await rig.play(
                """
                qr login; wait consent; key enter; wait identityEntry; type Carol7@Example.com
                key enter; wait emailConfirmation; key enter; wait emailConfirmation, hint notVerifiedYet
                key 1; wait emailConfirmation, hint mailSentAgain; key enter; wait newPIN
                key 0000 enter; wait newPIN, hint newPINAllZeros; key 2583 enter; wait newPINAgain
                key 2581 enter; wait newPIN, hint newPINMismatch; key 2583 enter; wait newPINAgain
                key 2583 enter; wait pin, hint registered(1); key 2583 enter; wait outcome, title success
                """)
            #expect(await rig.kiosk.file.digitCount == 0)
        }
        #expect(
            rig.steps.calls.dropFirst(2) == [
                "startRegistration carol7@example.com", "confirmRegistration carol7@example.com",
                "restartRegistration carol7@example.com", "confirmRegistration carol7@example.com",
                "finishRegistration 2583", "startAuthentication carol7@example.com", "finishAuthentication 2583",
            ])
    }

    @Test func deletesAnExpiredIdentityAndNoOther() async throws {
        let rig = try KioskRig(
            session: BackendSession(
                namedUser: "bob@example.com", identities: [FakeStepRunner.alice, FakeStepRunner.bob]))
        rig.steps.fail("finishAuthentication", .secretExpired)
        try await rig.run(
            """
            qr login; wait consent; key enter; wait pin; key 1111 enter; wait outcome, title secretExpired
            called delete
            """)
        #expect(rig.steps.calls.filter { $0.hasPrefix("delete") } == ["delete bob@example.com"])
    }

    @Test func whoeverWalksAwayLeavesNothing() async throws {
        let rig = try KioskRig()
        try await rig.run { rig in
            try await rig.walkToPIN()
            // The deadline counts from the last key.
            try await rig.play("time 20; key 2; wait pin, entry 1 of 6; time 20; key 5; wait pin, entry 2 of 6")
            #expect(await rig.kiosk.file.digitCount == 2)
            try await rig.play("time 30; wait outcome, title timedOut; called abort c0de1")
            #expect(await rig.kiosk.file.digitCount == 0)
        }
    }

    @Test func leavingCancelsTheStepUnderWayAndItsLateAnswerIsDropped() async throws {
        let rig = try KioskRig()
        rig.steps.silence("openBackend")
        try await rig.run { rig in
            try await rig.play(
                "qr login; called openBackend; key back; wait outcome, title declined; called abort c0de1")
            rig.steps.silence("openBackend", false)
            try await rig.play("key enter; wait scan; qr \"https://login.example.com#c0de2\"; wait consent")
        }
        #expect(rig.screen.views.count { $0.stage == .consent } == 1)
        #expect(rig.steps.calls.contains("openBackend c0de2"))
    }

    @Test func anAbortThatHangsHoldsTheNextPersonUpForTwoSeconds() async throws {
        let rig = try KioskRig()
        rig.steps.silence("abort")
        try await rig.run { rig in
            try await rig.play("qr login; wait consent; key back; wait outcome, title declined; called abort")
            // The call at stopping is answered.
            rig.steps.silence("abort", false)
            try await rig.play("key enter; wait scan; qr \"https://login.example.com#c0de2\"; wait connecting")
            try await rig.play("time 2; wait consent")
        }
    }

    @Test func aServerThatNeverAnswersDoesNotKeepTheKioskFromEnding() async throws {
        let rig = try KioskRig()
        rig.steps.silence("abort")
        try await rig.run("qr login; wait consent; key enter; wait pin; key 25; wait pin, entry 2 of 6")
        #expect(rig.steps.calls.last == "abort c0de1")
        #expect(await rig.kiosk.file.digitCount == 0)
        #expect(rig.screen.views.last?.stage == .stopped)
    }

    @Test func aServerThatNeverAnswersEndsTheSession() async throws {
        let rig = try KioskRig()
        rig.steps.silence("finishAuthentication")
        try await rig.run { rig in
            try await rig.walkToPIN()
            try await rig.play(
                "key 2583 enter; called finishAuthentication; time 60; wait outcome, title outcomeUnknown")
        }
        #expect(!rig.steps.calls.contains("abort c0de1"))
    }

    @Test func withoutKeypadAndScannerItEndsByItself() async throws {
        let rig = try KioskRig()
        rig.scanner.end()
        rig.keypad.end()
        await rig.kiosk.run()
        #expect(rig.screen.views.last?.stage == .stopped)
    }

    @Test(arguments: ["https://evil.example.org#c0de", "http://login.example.com#c0de", "hello"])
    func nothingIsAskedOfAStranger(text: String) async throws {
        let rig = try KioskRig()
        try await rig.run { rig in
            rig.scanner.show(text)
            try await rig.screen.view { $0.hint != nil }
        }
        #expect(rig.steps.calls == [])
    }

    /// Keys that were pasted or lost, and a keypad that was unplugged, take the typed digits along.
    @Test func forgetsDigitsThatNoHandTyped() async throws {
        let rig = try KioskRig()
        try await rig.run { rig in
            try await rig.walkToPIN()
            rig.keypad.type("2583", isBurst: true)
            rig.keypad.press(.enter, isBurst: true)
            try await rig.play("wait pin, hint pinKeyByKey, entry 0 of 6; key 25; wait pin, entry 2 of 6")
            rig.keypad.report(.keysLost("too many"))
            try await rig.play("wait pin, hint pinKeyByKey, entry 0 of 6; key 25; wait pin, entry 2 of 6")
            rig.keypad.report(.unavailable("unplugged"))
            try await rig.play("wait pin, title keypadMissing, entry none")
            rig.keypad.report(.available)
            try await rig.play("wait pin, entry 0 of 6; key 2583 enter; wait outcome, title success")
        }
        #expect(rig.steps.calls.count { $0.hasPrefix("finishAuthentication") } == 1)
    }
}
