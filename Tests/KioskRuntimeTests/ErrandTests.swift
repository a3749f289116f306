// SPDX-License-Identifier: Apache-2.0

import KioskCore
import KioskTestKit
import LoginValues
import Testing

@testable import KioskRuntime

@Suite("Errands between the ports", .timeLimit(.minutes(1)))
struct ErrandTests {
    static let digits = ViewEntry.digits(FakeLoginSteps.issued.digits)
    static let codes: [(Errand, String)] = [(.oneTimePassword, "OneTimePassword"), (.quickCode, "QuickCode")]

    /// From the idle screen to the PIN of the only identity.
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
            try await rig.typePIN("2580")
            try await rig.screen.view { $0.stage == .issuedCode && $0.entry == Self.digits }
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .scan)
            #expect(rig.kiosk.secrets.issuedCode.count == 0)
        }
        #expect(
            rig.steps.calls == [
                "readService https://login.example.com", "openBackend -", "start\(name) alice@example.com",
                "finish\(name) 2580",
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
            try await rig.typePIN("2580")
            // Each wait ends when what is left of the 45 seconds is told.
            for left in [45, 35, 25, 15] + (1...10).reversed() {
                try await rig.screen.view {
                    $0.entry == Self.digits && $0.lines.last?.values[.seconds] == "\(left)"
                }
                await rig.clock.waitForSleepers()
                rig.clock.advance(by: left > 20 ? .seconds(10) : left > 10 ? .seconds(left - 10) : .seconds(1))
            }
            try await rig.screen.view { $0.stage == .scan && $0.hint == Prompt(.oneTimePasswordExpired) }
            #expect(rig.kiosk.secrets.issuedCode.count == 0)
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
            try await rig.typePIN("2580")
            try await rig.screen.view { $0.entry == Self.digits }
        }
    }

    @Test func theBlockedIdentityAloneIsDeleted() async throws {
        let rig = try KioskRig(errands: [.oneTimePassword])
        rig.steps.fail("finishOneTimePassword", .blocked)
        try await rig.run { rig in
            try await Self.walkToPIN(rig, 1)
            try await rig.typePIN("2580")
            try await rig.outcome(.blocked)
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
}
