// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import Testing
@testable import KioskRuntime

@Suite("Typing, choosing and refusing between the ports", .timeLimit(.minutes(10)))
struct InteractionTests {
    private static func code(_ text: String) -> ViewEntry { .code(SecretBytes(copying: Array(text.utf8))) }

    @Test func aCodeTypedByHandLogsIn() async throws {
        let rig = try KioskRig()
        try await rig.run(
            """
            wait scan; key 0; entry code; type c0; key menu 3 2 back 3 3; entry code c0de; key enter; wait consent
            key enter; wait pin; key 2583 enter; wait outcome, title success
            """)
        #expect(
            rig.steps.calls.prefix(3) == [
                "readService https://login.example.com", "openBackend c0de", "checkTyped c0de",
            ])
        #expect(!rig.log.text.contains("c0de"))
    }

    @Test func aMistypedNumberIsToldBeforeThePIN() async throws {
        let rig = try KioskRig()
        rig.steps.fail("checkTyped", .sessionExpired)
        try await rig.run("wait scan; key 01234567; key enter; wait outcome, title codeMistyped")
        #expect(rig.steps.calls.last == "checkTyped 1234567")
    }

    @Test func anAbandonedCodeIsWiped() async throws {
        let rig = try KioskRig()
        try await rig.run { rig in
            try await rig.play("wait scan; key 0123; entry code 123; time 60; wait scan")
            #expect(await rig.kiosk.file.typedCode.count == 0)
            try await rig.play(
                """
                # OK without text makes no request.
                key 0; wait codeEntry; key enter clear back; wait scan
                """)
        }
        #expect(rig.steps.calls == [])
    }

    @Test func aQRCodeCarriesTheAddress() async throws {
        let rig = try KioskRig(session: BackendSession())
        try await rig.run(
            """
            qr login; wait consent; camera paused
            # The camera reads no address before it is asked for.
            qr "mailto:eve@example.com"; key enter; wait identityEntry; camera on; qr "mailto:carol@example.com"
            entry text carol@example.com; key enter; wait emailConfirmation; camera paused
            """)
        #expect(rig.steps.calls.contains("startRegistration carol@example.com"))
        #expect(rig.scanner.switched == [false, true, false])
    }

    @Test func notMeIsRecordedForTheOperator() async throws {
        let rig = try KioskRig()
        try await rig.run("qr login; wait consent; key back; wait outcome, title declined; called abort c0de1")
        let events = await rig.events()
        #expect(events.contains(.consentRefused(SessionNumber(1), domain: "login.example.com")))
        #expect(events.contains(.sessionClosed(SessionNumber(1), .declined)))
        let line = rig.log.text.split(separator: "\n").first { $0.contains("not me") }
        #expect(line?.hasPrefix("warning") == true && line?.contains("login.example.com") == true)
        #expect(!rig.log.text.contains("c0de1") && !rig.log.text.contains("alice"))
    }

    @Test(arguments: [
        (KioskPolicy.WeakPINs.warn, KioskStage.newPINAgain, PromptKey.newPINWeak), (.refuse, .newPIN, .newPINTooWeak),
    ])
    func aWeakPIN(policy: KioskPolicy.WeakPINs, stage: KioskStage, hint: PromptKey) async throws {
        var carol = FakeStepRunner.alice
        carol.progress = .activated
        let rig = try KioskRig(session: BackendSession(identities: [carol]), policy: KioskPolicy(weakPINs: policy))
        try await rig.run { rig in
            try await rig.play("qr login; wait consent; key enter; wait newPIN; key 1984 enter")
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
            try await rig.play(
                """
                qr login; wait consent; key enter; wait pin; key 2583 enter; called finishAuthentication; time 0.3
                """)
            try await rig.screen.view { $0.stage == .authenticating && $0.isBusy }
        }
        let quick = try KioskRig()
        try await quick.run { rig in
            try await rig.play(
                """
                qr login; wait consent; key enter; wait pin; key 2583 enter; wait outcome, title success
                """)
        }
        #expect(!quick.screen.views.contains { $0.stage == .authenticating })
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
