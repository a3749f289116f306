// SPDX-License-Identifier: Apache-2.0

import KioskCore
import KioskTestKit
import LoginValues
import Testing

@testable import KioskRuntime

@Suite("The kiosk between its ports", .timeLimit(.minutes(1)))
struct KioskTests {
    @Test func aWrongPINThenTheRightOne() async throws {
        let rig = try KioskRig()
        await rig.run { rig in
            await rig.walkToPIN()
            await rig.typePIN("1111")
            await rig.screen.view(at: .wrongPIN)
            rig.clock.advance(by: .seconds(1))
            await rig.screen.view(at: .pin)
            await rig.typePIN("2580")
            await rig.outcome(.success)
            rig.clock.advance(by: KioskTiming.success)
            await rig.screen.view(at: .scan)
        }
        #expect(
            rig.steps.calls == [
                "readService https://login.example.com", "openBackend c0de1", "startAuthentication alice@example.com",
                "finishAuthentication 1111", "finishAuthentication 2580",
            ])
        #expect(rig.scanner.switched == [false, true])
        var events: [KioskEvent] = []
        for await event in rig.kiosk.events { events.append(event) }
        let one = SessionNumber(1)
        #expect(
            events == [
                .started, .sessionOpened(one, domain: "login.example.com"), .consented(one),
                .sessionClosed(one, .loggedIn), .stopped,
            ])
    }

    @Test func registrationOnTheWay() async throws {
        let rig = try KioskRig(session: BackendSession())
        await rig.run { rig in
            rig.scanner.show(KioskRig.code)
            await rig.screen.view(at: .consent)
            rig.keypad.press(.enter)
            await rig.screen.view(at: .identityEntry)
            rig.keypad.type("Carol7@Example.com")
            rig.keypad.press(.enter)
            await rig.screen.view(at: .emailConfirmation)
            rig.steps.fail("confirmRegistration", .notVerified)
            rig.keypad.press(.enter)
            await rig.screen.view { $0.hint == Prompt(.notVerifiedYet) }
            rig.keypad.press(.digit(1))
            await rig.screen.view { $0.hint == Prompt(.mailSentAgain) }
            rig.keypad.press(.enter)
            await rig.screen.view(at: .newPIN)
            await rig.typePIN("0000")
            await rig.screen.view { $0.hint == Prompt(.newPINAllZeros) }
            await rig.typePIN("2580")
            await rig.screen.view(at: .newPINAgain)
            await rig.typePIN("2581")
            await rig.screen.view { $0.hint == Prompt(.newPINMismatch) }
            await rig.typePIN("2580")
            await rig.screen.view(at: .newPINAgain)
            await rig.typePIN("2580")
            await rig.screen.view { $0.stage == .pin && $0.hint == Prompt(.registered) }
            await rig.typePIN("2580")
            await rig.outcome(.success)
            #expect(rig.kiosk.secrets.digitCount == 0)
        }
        #expect(
            rig.steps.calls.dropFirst(2) == [
                "startRegistration carol7@example.com", "confirmRegistration carol7@example.com",
                "restartRegistration carol7@example.com", "confirmRegistration carol7@example.com",
                "finishRegistration 2580", "startAuthentication carol7@example.com", "finishAuthentication 2580",
            ])
    }

    @Test func aNoReachesTheServerAndNoProofDoes() async throws {
        let rig = try KioskRig()
        await rig.run { rig in
            rig.scanner.show(KioskRig.code)
            await rig.screen.view(at: .consent)
            rig.keypad.press(.back)
            await rig.outcome(.declined)
            await rig.steps.waitForCall("abort")
        }
        #expect(
            rig.steps.calls == ["readService https://login.example.com", "openBackend c0de1", "abort c0de1"])
    }

    @Test func aBlockedIdentityIsDeletedAndNoOther() async throws {
        let rig = try KioskRig(
            session: BackendSession(
                namedUser: "bob@example.com", identities: [FakeLoginSteps.alice, FakeLoginSteps.bob]))
        await rig.run { rig in
            await rig.walkToPIN()
            rig.steps.fail("finishAuthentication", .blocked)
            await rig.typePIN("1111")
            await rig.outcome(.blocked)
            await rig.steps.waitForCall("delete")
        }
        #expect(rig.steps.calls.filter { $0.hasPrefix("delete") } == ["delete bob@example.com"])
    }

    @Test func whoeverWalksAwayLeavesNothing() async throws {
        let rig = try KioskRig()
        await rig.run { rig in
            await rig.walkToPIN()
            rig.keypad.type("25")
            await rig.screen.view { $0.entry == .masked(count: 2, capacity: 6) }
            #expect(rig.kiosk.secrets.digitCount == 2)
            rig.clock.advance(by: KioskTiming.entry)
            await rig.outcome(.timedOut)
            #expect(rig.kiosk.secrets.digitCount == 0)
            await rig.steps.waitForCall("abort c0de1")
        }
    }

    /// The deadline is the last key's, not the first one's.
    @Test func eachKeyGivesAnotherThirtySeconds() async throws {
        let rig = try KioskRig()
        await rig.run { rig in
            await rig.walkToPIN()
            rig.clock.advance(by: .seconds(20))
            rig.keypad.press(.digit(2))
            await rig.screen.view { $0.entry == .masked(count: 1, capacity: 6) }
            rig.clock.advance(by: .seconds(20))
            rig.keypad.press(.digit(5))
            await rig.screen.view { $0.entry == .masked(count: 2, capacity: 6) }
        }
    }

    @Test func leavingCancelsTheStepUnderWayAndItsLateAnswerIsDropped() async throws {
        let rig = try KioskRig()
        rig.steps.silence("openBackend")
        await rig.run { rig in
            rig.scanner.show(KioskRig.code)
            await rig.steps.waitForCall("openBackend")
            rig.keypad.press(.back)
            await rig.outcome(.declined)
            await rig.steps.waitForCall("abort c0de1")
            rig.steps.silence("openBackend", false)
            rig.keypad.press(.enter)
            await rig.screen.view(at: .scan)
            rig.scanner.show("https://login.example.com#c0de2")
            await rig.screen.view(at: .consent)
        }
        #expect(rig.screen.views.count { $0.stage == .consent } == 1)
        #expect(rig.steps.calls.contains("openBackend c0de2"))
    }

    @Test func anAbortThatHangsHoldsTheNextPersonUpForTwoSeconds() async throws {
        let rig = try KioskRig()
        rig.steps.silence("abort")
        await rig.run { rig in
            rig.scanner.show(KioskRig.code)
            await rig.screen.view(at: .consent)
            rig.keypad.press(.back)
            await rig.outcome(.declined)
            await rig.steps.waitForCall("abort")
            rig.keypad.press(.enter)
            await rig.screen.view(at: .scan)
            rig.scanner.show("https://login.example.com#c0de2")
            await rig.screen.view(at: .connecting)
            rig.clock.advance(by: KioskTiming.abort)
            await rig.screen.view(at: .consent)
        }
    }

    @Test func aServerThatNeverAnswersEndsTheSession() async throws {
        let rig = try KioskRig()
        rig.steps.silence("finishAuthentication")
        await rig.run { rig in
            await rig.walkToPIN()
            await rig.typePIN("2580")
            await rig.steps.waitForCall("finishAuthentication")
            rig.clock.advance(by: KioskTiming.session)
            await rig.outcome(.outcomeUnknown)
        }
        #expect(!rig.steps.calls.contains("abort c0de1"))
    }

    @Test func switchingOffGivesTheSessionUp() async throws {
        let rig = try KioskRig()
        await rig.run { rig in
            await rig.walkToPIN()
            rig.keypad.type("25")
            await rig.screen.view { $0.entry == .masked(count: 2, capacity: 6) }
        }
        #expect(rig.steps.calls.last == "abort c0de1")
        #expect(rig.kiosk.secrets.digitCount == 0)
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
        await rig.run { rig in
            rig.scanner.show(text)
            await rig.screen.view { $0.hint != nil }
        }
        #expect(rig.steps.calls == [])
    }

    @Test func withNothingTrustedTheKioskOnlySaysSo() async throws {
        let rig = try KioskRig(trust: [])
        await rig.run { rig in
            await rig.screen.view(at: .firstRun)
            rig.scanner.show(KioskRig.code)
            rig.keypad.press(.enter)
        }
        #expect(rig.steps.calls == [])
    }

    @Test func aPastedPINIsRefused() async throws {
        let rig = try KioskRig()
        await rig.run { rig in
            await rig.walkToPIN()
            rig.keypad.type("2580", isBurst: true)
            rig.keypad.press(.enter, isBurst: true)
            await rig.screen.view { $0.hint == Prompt(.pinKeyByKey) }
            await rig.typePIN("2580")
            await rig.outcome(.success)
        }
        #expect(rig.steps.calls.count { $0.hasPrefix("finishAuthentication") } == 1)
    }

    @Test func theLogKeepsNoSecret() async throws {
        let rig = try KioskRig()
        await rig.run { rig in
            await rig.walkToPIN()
            await rig.typePIN("3917")
            await rig.screen.view(at: .wrongPIN)
            rig.clock.advance(by: .seconds(1))
            await rig.screen.view(at: .pin)
            await rig.typePIN("2580")
            await rig.outcome(.success)
        }
        let log = rig.log.text
        #expect(log.contains("session opened"))
        for secret in ["c0de1", "3917", "2580"] { #expect(!log.contains(secret)) }
    }
}
