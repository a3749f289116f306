// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import Testing
@testable import KioskRuntime

@Suite("Signing, with fakes of all ports", .timeLimit(.minutes(1)))
struct SigningTests {
    private static func rig(
        session: BackendSession? = nil, documentRoom: DocumentPageSize? = .standard
    ) throws -> KioskRig {
        try KioskRig(
            session: session, errands: [.signing],
            templates: [
                SigningTemplate(title: DisplayText("Rent"), text: try DocumentText(Array("I pay 10 euros.".utf8)))
            ], documentRoom: documentRoom)
    }

    private static func chooseDocument(_ rig: KioskRig) async throws {
        try await rig.screen.view(at: .scan)
        rig.keypad.press(.menu)
        try await rig.screen.view(at: .menu)
        rig.keypad.press(.digit(1))
        try await rig.screen.view(at: .documentChoice)
    }

    @Test func aTemplateIsReadAndSigned() async throws {
        let rig = try Self.rig()
        try await rig.run { rig in
            try await Self.chooseDocument(rig)
            rig.keypad.press(.digit(1), .enter)
            try await rig.screen.view { $0.document?.lines.map(\.shown) == ["I pay 10 euros."] }
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .signQuestion)
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .pin)
            try await rig.typePIN("2583")
            try await rig.outcome(.signed)
            #expect(await rig.kiosk.file.digitCount == 0)
        }
        #expect(
            rig.steps.calls == [
                "readService https://login.example.com", "openBackend -", "readSigner alice@example.com",
                "prepareDocument https://login.example.com I pay 10 euros.", "sign … 89ab cdef 2583",
            ])
        #expect(!rig.log.text.contains("2583") && !rig.log.text.contains("alice"))
    }

    @Test func theScreenSaysHowLargeAPageIs() async throws {
        try await Self.rig(documentRoom: DocumentPageSize(columns: 16, rows: 2)).run { rig in
            try await Self.chooseDocument(rig)
            rig.scanner.show("1\n2\n3")
            try await rig.screen.view { $0.document?.lines.map(\.shown) == ["1", "2"] }
        }
        try await Self.rig(documentRoom: nil).run { rig in
            try await Self.chooseDocument(rig)
            rig.keypad.press(.digit(1), .enter)
            try await rig.outcome(.documentNeedsRoom)
        }
    }

    /// Exactly the bytes of the code, and not those of a login code.
    @Test func theTextOfACodeIsSigned() async throws {
        let rig = try Self.rig()
        try await rig.run { rig in
            try await Self.chooseDocument(rig)
            rig.scanner.show(KioskRig.code)
            try await rig.screen.view { $0.hint == Prompt(.documentIsLogin) }
            rig.scanner.show(" two\r\nlines\n")
            try await rig.screen.view { $0.document?.lines.map(\.shown) == [" two‹CR›", "lines", ""] }
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .signQuestion)
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .pin)
        }
        #expect(rig.steps.calls.last == "prepareDocument https://login.example.com  two\r\nlines\n")
    }

    @Test func aKeyIsMadeOnTheWay() async throws {
        let rig = try Self.rig()
        rig.steps.setAbility(.needsKey)
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.keypad.press(.menu)
            try await rig.screen.view(at: .menu)
            rig.keypad.press(.digit(1))
            try await rig.screen.view { $0.title == Prompt(.signingKeyTitle) }
            try await rig.typePIN("2583")
            for stage in [KioskStage.newPIN, .newPINAgain] {
                try await rig.screen.view(at: stage)
                try await rig.typePIN("97538")
            }
            try await rig.screen.view { $0.stage == .documentChoice && $0.hint == Prompt(.signingKeyReady) }
        }
        #expect(rig.steps.calls.suffix(2) == ["startSigningKey 2583", "finishSigningKey 97538"])
    }

    @Test func aWrongPINThenTheRightOne() async throws {
        let rig = try Self.rig(session: try Self.scanned())
        try await rig.run { rig in
            rig.scanner.show(KioskRig.code)
            try await rig.screen.view { $0.title == Prompt(.consentSignTitle) }
            rig.keypad.press(.enter)
            try await rig.screen.view { $0.document?.lines.map(\.shown) == ["The lease of 1 May"] }
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .signQuestion)
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .pin)
            try await rig.typePIN("1111")
            try await rig.screen.view(at: .wrongPIN)
            await rig.clock.waitForSleepers()
            rig.clock.advance(by: .seconds(1))
            try await rig.screen.view(at: .pin)
            try await rig.typePIN("2583")
            try await rig.outcome(.signedForSession)
        }
        #expect(rig.steps.calls.suffix(2) == ["sign … 89ab cdef 1111", "sign … 89ab cdef 2583"])
    }

    @Test func aSessionThatIsLeftIsAborted() async throws {
        let rig = try Self.rig(session: try Self.scanned())
        try await rig.run { rig in
            rig.scanner.show(KioskRig.code)
            try await rig.screen.view(at: .consent)
            rig.keypad.press(.enter)
            try await rig.screen.view(at: .document)
            rig.keypad.press(.back)
            try await rig.outcome(.signingDeclined)
            try await rig.steps.waitForCall("abort")
        }
        #expect(rig.steps.calls.last == "abort c0de1")
    }

    private static func scanned() throws -> BackendSession {
        BackendSession(
            signing: SigningRequest(
                description: try DocumentText(Array("The lease of 1 May".utf8)), hash: FakeStepRunner.hash),
            identities: [FakeStepRunner.alice])
    }
}
