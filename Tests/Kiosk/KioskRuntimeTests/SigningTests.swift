// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import Testing
@testable import KioskRuntime

@Suite("Signing, with fakes of all ports", .timeLimit(.minutes(10)))
struct SigningTests {
    private static func rig(
        session: BackendSession? = nil, documentRoom: DocumentPageSize? = .standard
    ) throws -> KioskRig {
        try KioskRig(
            session: session, tasks: [.signing],
            templates: [
                SigningTemplate(title: DisplayText("Rent"), text: try DocumentText(Array("I pay 10 euros.".utf8)))
            ], documentRoom: documentRoom)
    }

    private static func scanned() throws -> BackendSession {
        BackendSession(
            signing: SigningRequest(
                description: try DocumentText(Array("The lease of 1 May".utf8)), hash: FakeStepRunner.hash),
            identities: [FakeStepRunner.alice])
    }

    @Test func aTemplateIsReadAndSigned() async throws {
        let rig = try Self.rig()
        try await rig.run { rig in
            try await rig.play("wait scan; key menu 1; wait documentChoice; key 1 enter; wait document")
            #expect(rig.screen.views.last?.document?.lines.map(\.shown) == ["I pay 10 euros."])
            try await rig.play(
                "key enter; wait signQuestion; key enter; wait pin; key 2583 enter; wait outcome, title signed")
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
            try await rig.play("wait scan; key menu 1; wait documentChoice")
            rig.scanner.show("1\n2\n3")
            try await rig.screen.view { $0.document?.lines.map(\.shown) == ["1", "2"] }
        }
        try await Self.rig(documentRoom: nil).run { rig in
            try await rig.play(
                "wait scan; key menu 1; wait documentChoice; key 1 enter; wait outcome, title documentNeedsRoom")
        }
    }

    /// Exactly the bytes of the code, and not those of a login code.
    @Test func theTextOfACodeIsSigned() async throws {
        let rig = try Self.rig()
        try await rig.run { rig in
            try await rig.play(
                "wait scan; key menu 1; wait documentChoice; qr login; wait documentChoice, hint documentIsLogin")
            rig.scanner.show(" two\r\nlines\n")
            try await rig.screen.view { $0.document?.lines.map(\.shown) == [" two‹CR›", "lines", ""] }
            try await rig.play("key enter; wait signQuestion; key enter; wait pin")
        }
        #expect(rig.steps.calls.last == "prepareDocument https://login.example.com  two\r\nlines\n")
    }

    @Test func aKeyIsMadeOnTheWay() async throws {
        let rig = try Self.rig()
        rig.steps.setAbility(.needsKey)
        try await rig.run(
            """
            wait scan; key menu 1; wait pin, title signingKeyTitle; key 2583 enter; wait newPIN; key 97538 enter
            wait newPINAgain; key 97538 enter; wait documentChoice, hint signingKeyReady
            """)
        #expect(rig.steps.calls.suffix(2) == ["startSigningKey 2583", "finishSigningKey 97538"])
    }

    @Test func aScannedSessionIsSignedOrAborted() async throws {
        let rig = try Self.rig(session: try Self.scanned())
        try await rig.run(
            """
            qr login; wait consent, title consentSignTitle; key enter; wait document; key enter; wait signQuestion
            key enter; wait pin; key 1111 enter; wait wrongPIN; time 1; wait pin; key 2583 enter
            wait outcome, title signedForSession; key enter
            wait scan; qr "https://login.example.com#c0de2"; wait consent; key enter; wait document
            key back; wait outcome, title signingDeclined; called abort
            """)
        #expect(
            rig.steps.calls.filter { $0.hasPrefix("sign ") } == ["sign … 89ab cdef 1111", "sign … 89ab cdef 2583"])
        #expect(rig.steps.calls.last == "abort c0de2")
    }
}
