// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import Testing
@testable import KioskRuntime

@Suite("Typing, choosing and refusing between the ports", .timeLimit(.minutes(1)))
struct InteractionTests {
    private static func code(_ text: String) -> ViewEntry { .code(SecretBytes(copying: Array(text.utf8))) }

    @Test func aCodeTypedByHandLogsIn() async throws {
        let rig = try KioskRig()
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.keypad.press(.digit(0))
            try await rig.screen.view { $0.entry == Self.code("") }
            rig.keypad.type("c0")
            rig.keypad.press(.menu, .digit(3), .digit(2), .back, .digit(3), .digit(3))
            try await rig.screen.view { $0.entry == Self.code("c0de") }
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .consent)
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .pin)
            try await rig.typePIN("2583")
            try await rig.outcome(.success)
        }
        #expect(
            rig.steps.calls.prefix(3) == [
                "readService https://login.example.com", "openBackend c0de", "checkTyped c0de",
            ])
        #expect(!rig.log.text.contains("c0de"))
    }

    @Test func aMistypedNumberIsToldBeforeThePIN() async throws {
        let rig = try KioskRig()
        rig.steps.fail("checkTyped", .sessionExpired)
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.keypad.type("01234567")
            rig.keypad.press(.enter)
            try await rig.outcome(.codeMistyped)
        }
        #expect(rig.steps.calls.last == "checkTyped 1234567")
    }

    @Test func aScannedCodeIsNotChecked() async throws {
        let rig = try KioskRig()
        try await rig.run { rig in try await rig.walkToPIN() }
        #expect(!rig.steps.calls.contains { $0.hasPrefix("checkTyped") })
    }

    @Test func anAbandonedCodeIsWiped() async throws {
        let rig = try KioskRig()
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.keypad.type("0123")
            try await rig.screen.view { $0.entry == Self.code("123") }
            rig.clock.advance(by: KioskTiming.typing)
            try await rig.screen.view(at: .scan)
            #expect(await rig.kiosk.file.typedCode.count == 0)
            // OK without text makes no request.
            rig.keypad.press(.digit(0))
            try await rig.screen.view(at: .codeEntry)
            rig.keypad.press(.enter, .clear, .back)
            try await rig.screen.view(at: .scan)
        }
        #expect(rig.steps.calls == [])
    }

    @Test func aQRCodeCarriesTheAddress() async throws {
        let rig = try KioskRig(session: BackendSession())
        try await rig.run { rig in
            rig.scanner.show(KioskRig.code)
            try await rig.screen.view(at: .consent)
            // The camera reads no address before it is asked for.
            rig.scanner.show("mailto:eve@example.com")
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .identityEntry)
            rig.scanner.show("mailto:carol@example.com")
            try await rig.screen.view { $0.entry == .text("carol@example.com") }
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .emailConfirmation)
        }
        #expect(rig.steps.calls.contains("startRegistration carol@example.com"))
        #expect(rig.scanner.switched == [false, true, false])
    }

    @Test func notMeIsRecordedForTheOperator() async throws {
        let rig = try KioskRig()
        try await rig.run { rig in
            rig.scanner.show(KioskRig.code)
            try await rig.screen.view(at: .consent)
            rig.keypad.press(.back)
            try await rig.outcome(.declined)
            try await rig.steps.waitForCall("abort c0de1")
        }
        var events: [KioskEvent] = []
        for await event in rig.kiosk.events { events.append(event) }
        #expect(events.contains(.consentRefused(SessionNumber(1), domain: "login.example.com")))
        #expect(events.contains(.sessionClosed(SessionNumber(1), .declined)))
        let line = rig.log.text.split(separator: "\n").first { $0.contains("not me") }
        #expect(line?.hasPrefix("warning") == true && line?.contains("login.example.com") == true)
        #expect(!rig.log.text.contains("c0de1") && !rig.log.text.contains("alice"))
    }

    @Test func leavingAtThePINIsNoRefusalOfConsent() async throws {
        let rig = try KioskRig()
        try await rig.run { rig in
            try await rig.walkToPIN()
            rig.keypad.press(.back)
            try await rig.outcome(.declined)
        }
        #expect(!rig.log.text.contains("not me"))
    }

    @Test(arguments: [
        (KioskPolicy.WeakPINs.warn, KioskStage.newPINAgain, PromptKey.newPINWeak), (.refuse, .newPIN, .newPINTooWeak),
    ])
    func aWeakPIN(policy: KioskPolicy.WeakPINs, stage: KioskStage, hint: PromptKey) async throws {
        var carol = FakeStepRunner.alice
        carol.progress = .activated
        let rig = try KioskRig(session: BackendSession(identities: [carol]), policy: KioskPolicy(weakPINs: policy))
        try await rig.run { rig in
            rig.scanner.show(KioskRig.code)
            try await rig.screen.view(at: .consent)
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .newPIN)
            try await rig.typePIN("1984")
            try await rig.screen.view { $0.stage == stage && $0.hint?.key == hint }
            #expect(await rig.kiosk.file.digitCount == (policy == .warn ? 4 : 0))
        }
        // The sentence and the log do not tell which rule it was.
        #expect(!rig.log.text.contains("1984") && !rig.log.text.contains("guess"))
    }

    @Test func aLongWaitIsShownAndAShortOneIsNot() async throws {
        let rig = try KioskRig()
        rig.steps.silence("finishAuthentication")
        try await rig.run { rig in
            try await rig.walkToPIN()
            try await rig.typePIN("2583")
            try await rig.steps.waitForCall("finishAuthentication")
            rig.clock.advance(by: KioskTiming.wait)
            try await rig.screen.view { $0.stage == .authenticating && $0.isBusy }
        }
        let quick = try KioskRig()
        try await quick.run { rig in
            try await rig.walkToPIN()
            try await rig.typePIN("2583")
            try await rig.outcome(.success)
        }
        #expect(!quick.screen.views.contains { $0.stage == .authenticating })
    }

    @Test func theIdleScreenRestsAndWakes() async throws {
        let rig = try KioskRig()
        try await rig.run { rig in
            try await rig.screen.view { $0.stage == .scan && $0.restStep == nil }
            await rig.clock.waitForSleepers()
            rig.clock.advance(by: KioskTiming.rest)
            try await rig.screen.view { $0.restStep == 0 }
            await rig.clock.waitForSleepers()
            rig.clock.advance(by: KioskTiming.restMove)
            try await rig.screen.view { $0.restStep == 1 }
            rig.keypad.press(.digit(0))
            try await rig.screen.view { $0.stage == .scan && $0.restStep == nil }
        }
        #expect(!rig.screen.views.contains { $0.stage == .codeEntry })
    }

    @Test func aCameraRestsWithItsKioskAndIsWokenByAKey() async throws {
        let rig = try KioskRig(policy: KioskPolicy(cameraRest: KioskTiming.rest + KioskTiming.restMove))
        try await rig.run { rig in
            try await rig.screen.view { $0.stage == .scan && $0.restStep == nil }
            await rig.clock.waitForSleepers()
            rig.clock.advance(by: KioskTiming.rest)
            try await rig.screen.view { $0.restStep == 0 }
            #expect(rig.scanner.rested.isEmpty)
            await rig.clock.waitForSleepers()
            rig.clock.advance(by: KioskTiming.restMove)
            while rig.scanner.rested != [true] { await Task.yield() }
            rig.keypad.press(.enter)
            while rig.scanner.rested != [true, false] { await Task.yield() }
        }
    }

    /// A finger may be quicker than the picture: what it touched at one screen is not done at another.
    @Test func aTouchCountsAtItsOwnScreenOnly() async throws {
        let rig = try KioskRig()
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            let scan = try #require(rig.screen.views.last)
            rig.keypad.report(.pressed(KeyPress(.digit(0), touched: TouchedView(KeySubject(scan), nil))))
            try await rig.screen.view(at: .codeEntry)
            let code = try #require(rig.screen.views.last)
            let menu = Prompt(.actionLetters)
            // Of the screen before, with a label that is not there, and with another label.
            rig.keypad.report(.pressed(KeyPress(.digit(1), touched: TouchedView(KeySubject(scan), nil))))
            rig.keypad.report(
                .pressed(KeyPress(.back, touched: TouchedView(KeySubject(code), Prompt(.actionNotMe)))))
            rig.keypad.report(.pressed(KeyPress(.menu, touched: TouchedView(KeySubject(code), Prompt(.actionDigits)))))
            rig.keypad.report(.pressed(KeyPress(.digit(7), touched: TouchedView(KeySubject(code), nil))))
            rig.keypad.report(.pressed(KeyPress(.menu, touched: TouchedView(KeySubject(code), menu))))
            try await rig.screen.view { view in view.actions.contains { $0.label == Prompt(.actionDigits) } }
            #expect(rig.screen.views.last?.entry == Self.code("7"))
        }
    }
}
