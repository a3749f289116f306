// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import Testing
@testable import KioskRuntime

@Suite("The kiosk between its ports", .timeLimit(.minutes(1)))
struct KioskTests {
    @Test func aWrongPINThenTheRightOne() async throws {
        let rig = try KioskRig()
        try await rig.run { rig in
            try await rig.walkToPIN()
            try await rig.typePIN("1111")
            try await rig.screen.view(at: .wrongPIN)
            rig.clock.advance(by: .seconds(1))
            try await rig.screen.view(at: .pin)
            try await rig.typePIN("2583")
            try await rig.outcome(.success)
            rig.clock.advance(by: KioskTiming.success)
            try await rig.screen.view(at: .scan)
        }
        #expect(
            rig.steps.calls == [
                "readService https://login.example.com", "openBackend c0de1", "startAuthentication alice@example.com",
                "finishAuthentication 1111", "finishAuthentication 2583",
            ])
        #expect(rig.scanner.switched == [false, true])
        var events: [KioskEvent] = []
        for await event in rig.kiosk.events { events.append(event) }
        let one = SessionNumber(1)
        #expect(
            events == [
                .started, .sessionOpened(one, domain: "login.example.com"), .consented(one), .pickedWrongPIN(one),
                .sessionClosed(one, .loggedIn), .stopped,
            ])
    }

    @Test func registrationOnTheWay() async throws {
        let rig = try KioskRig(session: BackendSession())
        try await rig.run { rig in
            rig.scanner.show(KioskRig.code)
            try await rig.screen.view(at: .consent)
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .identityEntry)
            rig.keypad.type("Carol7@Example.com")
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .emailConfirmation)
            rig.steps.fail("confirmRegistration", .notVerified)
            rig.keypad.press(.enter)
            try await rig.screen.view { $0.hint == Prompt(.notVerifiedYet) }
            rig.keypad.press(.digit(1))
            try await rig.screen.view { $0.hint == Prompt(.mailSentAgain) }
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .newPIN)
            try await rig.typePIN("0000")
            try await rig.screen.view { $0.hint == Prompt(.newPINAllZeros) }
            try await rig.typePIN("2583")
            try await rig.screen.view(at: .newPINAgain)
            try await rig.typePIN("2581")
            try await rig.screen.view { $0.hint == Prompt(.newPINMismatch) }
            try await rig.typePIN("2583")
            try await rig.screen.view(at: .newPINAgain)
            try await rig.typePIN("2583")
            try await rig.screen.view { $0.stage == .pin && $0.hint?.key == .registered }
            try await rig.typePIN("2583")
            try await rig.outcome(.success)
            #expect(await rig.kiosk.file.digitCount == 0)
        }
        #expect(
            rig.steps.calls.dropFirst(2) == [
                "startRegistration carol7@example.com", "confirmRegistration carol7@example.com",
                "restartRegistration carol7@example.com", "confirmRegistration carol7@example.com",
                "finishRegistration 2583", "startAuthentication carol7@example.com", "finishAuthentication 2583",
            ])
    }

    @Test func aNoReachesTheServerAndNoProofDoes() async throws {
        let rig = try KioskRig()
        try await rig.run { rig in
            rig.scanner.show(KioskRig.code)
            try await rig.screen.view(at: .consent)
            rig.keypad.press(.back)
            try await rig.outcome(.declined)
            try await rig.steps.waitForCall("abort")
        }
        #expect(
            rig.steps.calls == ["readService https://login.example.com", "openBackend c0de1", "abort c0de1"])
    }

    @Test func anExpiredIdentityIsDeletedAndNoOther() async throws {
        let rig = try KioskRig(
            session: BackendSession(
                namedUser: "bob@example.com", identities: [FakeStepRunner.alice, FakeStepRunner.bob]))
        try await rig.run { rig in
            try await rig.walkToPIN()
            rig.steps.fail("finishAuthentication", .secretExpired)
            try await rig.typePIN("1111")
            try await rig.outcome(.secretExpired)
            try await rig.steps.waitForCall("delete")
        }
        #expect(rig.steps.calls.filter { $0.hasPrefix("delete") } == ["delete bob@example.com"])
    }

    @Test func whoeverWalksAwayLeavesNothing() async throws {
        let rig = try KioskRig()
        try await rig.run { rig in
            try await rig.walkToPIN()
            rig.keypad.type("25")
            try await rig.screen.view { $0.entry == .masked(count: 2, capacity: 6) }
            #expect(await rig.kiosk.file.digitCount == 2)
            rig.clock.advance(by: KioskTiming.entry)
            try await rig.outcome(.timedOut)
            #expect(await rig.kiosk.file.digitCount == 0)
            try await rig.steps.waitForCall("abort c0de1")
        }
    }

    /// The deadline counts from the last key.
    @Test func eachKeyGivesAnotherThirtySeconds() async throws {
        let rig = try KioskRig()
        try await rig.run { rig in
            try await rig.walkToPIN()
            rig.clock.advance(by: .seconds(20))
            rig.keypad.press(.digit(2))
            try await rig.screen.view { $0.entry == .masked(count: 1, capacity: 6) }
            rig.clock.advance(by: .seconds(20))
            rig.keypad.press(.digit(5))
            try await rig.screen.view { $0.entry == .masked(count: 2, capacity: 6) }
        }
    }

    @Test func leavingCancelsTheStepUnderWayAndItsLateAnswerIsDropped() async throws {
        let rig = try KioskRig()
        rig.steps.silence("openBackend")
        try await rig.run { rig in
            rig.scanner.show(KioskRig.code)
            try await rig.steps.waitForCall("openBackend")
            rig.keypad.press(.back)
            try await rig.outcome(.declined)
            try await rig.steps.waitForCall("abort c0de1")
            rig.steps.silence("openBackend", false)
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .scan)
            rig.scanner.show("https://login.example.com#c0de2")
            try await rig.screen.view(at: .consent)
        }
        #expect(rig.screen.views.count { $0.stage == .consent } == 1)
        #expect(rig.steps.calls.contains("openBackend c0de2"))
    }

    @Test func anAbortThatHangsHoldsTheNextPersonUpForTwoSeconds() async throws {
        let rig = try KioskRig()
        rig.steps.silence("abort")
        try await rig.run { rig in
            rig.scanner.show(KioskRig.code)
            try await rig.screen.view(at: .consent)
            rig.keypad.press(.back)
            try await rig.outcome(.declined)
            try await rig.steps.waitForCall("abort")
            // The call at stopping is answered.
            rig.steps.silence("abort", false)
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .scan)
            rig.scanner.show("https://login.example.com#c0de2")
            try await rig.screen.view(at: .connecting)
            rig.clock.advance(by: KioskTiming.abort)
            try await rig.screen.view(at: .consent)
        }
    }

    @Test func aServerThatNeverAnswersDoesNotKeepTheKioskFromEnding() async throws {
        let rig = try KioskRig()
        rig.steps.silence("abort")
        try await rig.run { rig in try await rig.walkToPIN() }
        #expect(rig.steps.calls.last == "abort c0de1")
        #expect(rig.screen.views.last?.stage == .stopped)
    }

    @Test func aServerThatNeverAnswersEndsTheSession() async throws {
        let rig = try KioskRig()
        rig.steps.silence("finishAuthentication")
        try await rig.run { rig in
            try await rig.walkToPIN()
            try await rig.typePIN("2583")
            try await rig.steps.waitForCall("finishAuthentication")
            rig.clock.advance(by: KioskTiming.session)
            try await rig.outcome(.outcomeUnknown)
        }
        #expect(!rig.steps.calls.contains("abort c0de1"))
    }

    @Test func switchingOffGivesTheSessionUp() async throws {
        let rig = try KioskRig()
        try await rig.run { rig in
            try await rig.walkToPIN()
            rig.keypad.type("25")
            try await rig.screen.view { $0.entry == .masked(count: 2, capacity: 6) }
        }
        #expect(rig.steps.calls.last == "abort c0de1")
        #expect(await rig.kiosk.file.digitCount == 0)
        #expect(rig.screen.views.last?.stage == .stopped)
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

    @Test func withNothingTrustedTheKioskOnlySaysSo() async throws {
        let rig = try KioskRig(trust: [])
        try await rig.run { rig in
            try await rig.screen.view(at: .firstRun)
            rig.scanner.show(KioskRig.code)
            rig.keypad.press(.enter)
        }
        #expect(rig.steps.calls == [])
    }

    @Test func aPastedPINIsRefused() async throws {
        let rig = try KioskRig()
        try await rig.run { rig in
            try await rig.walkToPIN()
            rig.keypad.type("2583", isBurst: true)
            rig.keypad.press(.enter, isBurst: true)
            try await rig.screen.view { $0.hint == Prompt(.pinKeyByKey) }
            try await rig.typePIN("2583")
            try await rig.outcome(.success)
        }
        #expect(rig.steps.calls.count { $0.hasPrefix("finishAuthentication") } == 1)
    }

    @Test func aKeypadThatIsUnpluggedDuringThePINTakesTheDigitsAlong() async throws {
        let rig = try KioskRig()
        try await rig.run { rig in
            try await rig.walkToPIN()
            rig.keypad.type("25")
            try await rig.screen.view { $0.entry == .masked(count: 2, capacity: 6) }
            rig.keypad.report(.unavailable("unplugged"))
            try await rig.screen.view { $0.title == Prompt(.keypadMissing) && $0.entry == nil }
            rig.keypad.report(.available)
            try await rig.screen.view { $0.entry == .masked(count: 0, capacity: 6) }
            try await rig.typePIN("2583")
            try await rig.outcome(.success)
        }
        #expect(rig.steps.calls.count { $0.hasPrefix("finishAuthentication") } == 1)
    }

    @Test func keysThatWereLostTakeTheDigitsAlong() async throws {
        let rig = try KioskRig()
        try await rig.run { rig in
            try await rig.walkToPIN()
            rig.keypad.type("25")
            rig.keypad.report(.keysLost("too many"))
            try await rig.screen.view { $0.hint == Prompt(.pinKeyByKey) }
            try await rig.typePIN("2583")
            try await rig.outcome(.success)
        }
    }

    @Test func theLogKeepsNoSecret() async throws {
        let rig = try KioskRig()
        try await rig.run { rig in
            try await rig.walkToPIN()
            try await rig.typePIN("3917")
            try await rig.screen.view(at: .wrongPIN)
            rig.clock.advance(by: .seconds(1))
            try await rig.screen.view(at: .pin)
            try await rig.typePIN("2583")
            try await rig.outcome(.success)
        }
        let log = rig.log.text
        #expect(log.contains("session opened"))
        for secret in ["c0de1", "3917", "2583"] { #expect(!log.contains(secret)) }
    }
}
