// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import Testing
@testable import KioskRuntime

@Suite("Errands between the ports", .timeLimit(.minutes(1)))
struct ErrandTests {
    static let digits = ViewEntry.digits(FakeStepRunner.issued)
    static let codes: [(Errand, String)] = [(.oneTimePassword, "OneTimePassword"), (.quickCode, "QuickCode")]

    /// Goes from the idle screen to the PIN of the only identity.
    private static func walkToPIN(_ rig: KioskRig, _ entry: UInt8) async throws {
        try await rig.screen.view(at: .scan)
        rig.keypad.press(.menu)
        try await rig.screen.view(at: .menu)
        rig.keypad.press(.digit(entry))
        try await rig.screen.view(at: .pin)
    }

    @Test(arguments: codes)
    func aCodeIsShownAndWiped(errand: Errand, name: String) async throws {
        let rig = try KioskRig(errands: [errand])
        try await rig.run { rig in
            try await Self.walkToPIN(rig, 1)
            try await rig.typePIN("2583")
            try await rig.screen.view { $0.stage == .issuedCode && $0.entry == Self.digits }
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .scan)
            #expect(await rig.kiosk.file.issuedCode.count == 0)
        }
        #expect(
            rig.steps.calls == [
                "readService https://login.example.com", "openBackend -", "start\(name) alice@example.com",
                "finish\(name) 2583",
            ])
        #expect(!rig.log.text.contains("739164") && !rig.log.text.contains("alice"))
        #expect(!rig.screen.views.contains { "\($0)".contains("739164") })
        var events: [KioskEvent] = []
        for await event in rig.kiosk.events { events.append(event) }
        #expect(events.contains(.errandBegun(SessionNumber(1), errand, domain: "login.example.com")))
        #expect(events.contains(.sessionClosed(SessionNumber(1), .codeIssued)))
    }

    @Test func theCodeIsBlankWhenItsTimeIsOver() async throws {
        let rig = try KioskRig(errands: [.oneTimePassword])
        try await rig.run { rig in
            try await Self.walkToPIN(rig, 1)
            try await rig.typePIN("2583")
            // Each wait ends when the rest of the 45 seconds is shown.
            for left in [45, 35, 25, 15] + (1...10).reversed() {
                try await rig.screen.view {
                    $0.entry == Self.digits && $0.lines.last?.values[.seconds] == "\(left)"
                }
                await rig.clock.waitForSleepers()
                rig.clock.advance(by: left > 20 ? .seconds(10) : left > 10 ? .seconds(left - 10) : .seconds(1))
            }
            try await rig.screen.view { $0.stage == .scan && $0.hint == Prompt(.oneTimePasswordExpired) }
            #expect(await rig.kiosk.file.issuedCode.count == 0)
        }
    }

    @Test func aWrongPINThenTheRightOne() async throws {
        let rig = try KioskRig(errands: [.oneTimePassword])
        try await rig.run { rig in
            try await Self.walkToPIN(rig, 1)
            try await rig.typePIN("1111")
            try await rig.screen.view(at: .wrongPIN)
            await rig.clock.waitForSleepers()
            rig.clock.advance(by: .seconds(1))
            try await rig.screen.view(at: .pin)
            try await rig.typePIN("2583")
            try await rig.screen.view { $0.entry == Self.digits }
        }
    }

    @Test func theExpiredIdentityAloneIsDeleted() async throws {
        let rig = try KioskRig(errands: [.oneTimePassword])
        rig.steps.fail("finishOneTimePassword", .secretExpired)
        try await rig.run { rig in
            try await Self.walkToPIN(rig, 1)
            try await rig.typePIN("2583")
            try await rig.outcome(.secretExpired)
            try await rig.steps.waitForCall("delete alice@example.com")
        }
        #expect(rig.steps.calls.filter { $0.hasPrefix("delete") } == ["delete alice@example.com"])
        #expect(!rig.steps.calls.contains { $0.hasPrefix("abort") })
    }

    @Test func severalServicesAreAskedFor() async throws {
        let rig = try KioskRig(trust: ["a.example.com", "login.example.com"], errands: [.oneTimePassword])
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.keypad.press(.digit(1))
            try await rig.screen.view(at: .menu)
            rig.keypad.press(.digit(1))
            try await rig.screen.view(at: .serviceChoice)
            rig.keypad.press(.digit(2), .enter)
            try await rig.screen.view(at: .pin)
        }
        #expect(rig.steps.calls.first == "readService https://login.example.com")
    }

    @Test func anIdentityIsDeletedWithItsPIN() async throws {
        let rig = try KioskRig(errands: [.identities])
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.keypad.press(.menu, .digit(1))
            try await rig.screen.view(at: .identityDetails)
            rig.keypad.press(.digit(2), .digit(2))
            try await rig.screen.view(at: .pin)
            try await rig.typePIN("2583")
            try await rig.outcome(.identityDeleted)
        }
        #expect(
            rig.steps.calls.suffix(3) == [
                "startConfirming alice@example.com", "finishConfirming 2583", "deleteForGood alice@example.com",
            ])
        var events: [KioskEvent] = []
        for await event in rig.kiosk.events { events.append(event) }
        #expect(events.contains(.identityDeleted))
        #expect(!rig.log.text.contains("alice"))
    }

    @Test func theBrowserIsLoggedOutAfterItsLogin() async throws {
        let rig = try KioskRig()
        rig.steps.offerLogout()
        try await rig.run { rig in
            try await rig.walkToPIN()
            try await rig.typePIN("2583")
            try await rig.outcome(.success)
            rig.keypad.press(.digit(1))
            try await rig.outcome(.loggedOut)
        }
        #expect(rig.steps.calls.last == "logout alice@example.com")
    }

    @Test func aLogoutThatHangsIsGivenUp() async throws {
        let rig = try KioskRig()
        rig.steps.offerLogout()
        rig.steps.silence("logout")
        try await rig.run { rig in
            try await rig.walkToPIN()
            try await rig.typePIN("2583")
            try await rig.outcome(.success)
            rig.keypad.press(.digit(1))
            try await rig.steps.waitForCall("logout")
            try await rig.screen.view(at: .loggingOut)
            await rig.clock.waitForSleepers()
            rig.clock.advance(by: KioskTiming.logout)
            try await rig.outcome(.logoutFailed)
        }
    }

    /// Types an address and a code, and chooses a PIN.
    private static func enrol(_ rig: KioskRig, code: String) async throws {
        try await rig.screen.view(at: .identityEntry)
        rig.keypad.type("dave@example.com")
        rig.keypad.press(.enter)
        try await rig.screen.view(at: .activationEntry)
        rig.keypad.type(code)
        try await rig.screen.view { $0.entry == .code(SecretBytes(copying: Array(code.utf8))) }
        rig.keypad.press(.enter)
        try await Self.choosePIN(rig)
    }

    private static func choosePIN(_ rig: KioskRig) async throws {
        try await rig.screen.view(at: .newPIN)
        try await rig.typePIN("2583")
        try await rig.screen.view(at: .newPINAgain)
        try await rig.typePIN("2583")
        try await rig.outcome(.enrolled)
        #expect(await rig.kiosk.file.typedCode.count == 0)
    }

    @Test func theCodeOfAnotherDeviceRegisters() async throws {
        let rig = try KioskRig(session: BackendSession(), errands: [.enrolment])
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.keypad.press(.menu, .digit(1))
            try await Self.enrol(rig, code: "739164")
        }
        #expect(
            rig.steps.calls.suffix(3) == [
                "startRegistration dave@example.com 739164", "confirmRegistration dave@example.com",
                "finishRegistration 2583",
            ])
        #expect(!rig.log.text.contains("739164") && !rig.log.text.contains("dave"))
        #expect(!rig.screen.views.contains { "\($0)".contains("739164") })
    }

    @Test func theCodeOfAMailVerifiesAndRegisters() async throws {
        let rig = try KioskRig(session: BackendSession(), errands: [.verification])
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.keypad.press(.menu, .digit(1))
            try await Self.enrol(rig, code: "42c0de")
        }
        #expect(
            rig.steps.calls.dropFirst(2) == [
                "startVerification dave@example.com", "finishVerification dave@example.com 42c0de",
                "startRegistration dave@example.com t0ken", "confirmRegistration dave@example.com",
                "finishRegistration 2583",
            ])
        #expect(!rig.log.text.contains("t0ken") && !rig.log.text.contains("42c0de"))
    }

    @Test func theLinkOfAMailBeginsByItself() async throws {
        let rig = try KioskRig(session: BackendSession(), errands: [.verification])
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.scanner.show("https://login.example.com/verify?user_id=dave%40example.com&code=l1nk")
            try await Self.choosePIN(rig)
        }
        #expect(rig.steps.calls.contains("finishVerification dave@example.com l1nk"))
        #expect(!rig.steps.calls.contains { $0.hasPrefix("startVerification") })
        #expect(!rig.log.text.contains("l1nk"))
    }

    @Test func aLinkToAHostThatIsNotTrustedIsNoLogin() async throws {
        let rig = try KioskRig(errands: [.verification])
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.scanner.show("https://evil.example.com/verify?user_id=dave%40example.com&code=l1nk")
            try await rig.screen.view { $0.stage == .scan && $0.hint?.key == .invalidCode }
        }
        #expect(rig.steps.calls == [])
    }

    @Test func aRefusedCodeIsWipedAndTypedAnew() async throws {
        let rig = try KioskRig(session: BackendSession(), errands: [.enrolment])
        rig.steps.fail("startRegistration", .notAuthorized)
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.keypad.press(.menu, .digit(1))
            try await rig.screen.view(at: .identityEntry)
            rig.keypad.type("dave@example.com")
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .activationEntry)
            // A code in front of the camera works too, and is shown before it is sent.
            rig.scanner.show("111111")
            try await rig.screen.view { $0.entry == .code(SecretBytes(copying: Array("111111".utf8))) }
            rig.keypad.press(.enter)
            try await rig.screen.view { $0.hint == Prompt(.activationRefused) }
            #expect(await rig.kiosk.file.typedCode.count == 0)
        }
    }
}
