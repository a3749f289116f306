// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskMachine
import KioskPorts
import KioskTestKit
import MPinClient
import Patience
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// A web site of this backend verifies documents that a person signs at the kiosk.
@Suite(.timeLimit(.minutes(5))) struct KioskSigningTests {
    static let document = "I owe Bob ten pounds.\n\tAlice "
    static let hash = Hexadecimal.text(Digest.sha256(Array(document.utf8)))

    static func template() throws -> SigningTemplate {
        SigningTemplate(title: DisplayText("Debt"), text: try DocumentText(Array(document.utf8)))
    }

    @Test(arguments: [Dialect.trust2023, .trust2025])
    func aDocumentThatIsKeptReady(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            _ = try await client.verifyAndRegister("alice@example.com", at: try await client.project(dialect))
            try await KioskPerson(client, document: try Self.template()).run { person in
                try await person.begin(.signing)
                try await person.screen.view(at: .documentChoice)
                person.keypad.press(.digit(1), .enter)
                try await person.readAndAgree()
                try await person.typePIN()
                try await person.outcome(.signed)
                let tail = "… \(Self.hash.suffix(8).prefix(4)) \(Self.hash.suffix(4))"
                #expect(
                    person.screen.views.last { $0.stage == .outcome }?.lines == [
                        Prompt(.signer, [.user: "alice@example.com"]), Prompt(.documentName, [.name: "Debt"]),
                        Prompt(.documentFingerprint, [.hash: tail]),
                    ])
            }
        }
    }

    /// Registers a key with a separate PIN, then signs with that PIN, also the next time.
    @Test func withAKeyOfItsOwn() async throws {
        try await withClient(.mfaV2) { client in
            let user = try await client.enrol()
            #expect(!user.canSign)
            for isFirstTime in [true, false] {
                try await KioskPerson(client).run { person in
                    try await person.begin(.signing)
                    if isFirstTime {
                        try await person.screen.view { $0.title == Prompt(.signingKeyTitle) }
                        try await person.typePIN()
                        try await person.typePIN("97531", at: .newPIN)
                        try await person.typePIN("97531", at: .newPINAgain)
                    }
                    try await person.screen.view(at: .documentChoice)
                    person.scanner.show(Self.document)
                    try await person.readAndAgree()
                    try await person.typePIN("97531")
                    try await person.outcome(.signed)
                }
            }
            #expect(try await client.mpin.user(user.key)?.signingPINLength == 5)
        }
    }

    @Test(arguments: [Dialect.trust2023, .trust2025], [true, false])
    func aScannedSession(_ dialect: Dialect, signs: Bool) async throws {
        try await withClient(dialect) { client in
            let project = try await client.project(dialect)
            _ = try await client.verifyAndRegister("alice@example.com", at: project)
            let session = try await Self.session(at: project)
            try await KioskPerson(client).run { person in
                try await person.screen.view(at: .scan)
                person.scanner.show(session.qrURL)
                try await person.screen.view { $0.title == Prompt(.consentSignTitle) }
                person.keypad.press(.enter)
                try await person.screen.view { $0.document?.lines.map(\.shown) == ["A debt of ten pounds"] }
                guard signs else {
                    person.keypad.press(.back)
                    try await person.outcome(.signingDeclined)
                    // The kiosk does not wait for the server to learn of it.
                    try await Patience.until {
                        try await project.access(session.webOTT).string("status") == "abort"
                    }
                    return
                }
                try await person.readAndAgree()
                try await person.typePIN()
                try await person.outcome(.signedForSession)
            }
            #expect(try await project.access(session.webOTT).string("status") == (signs ? "signed" : "abort"))
        }
    }

    /// A session that waits for a signature, opened in the generation's way.
    private static func session(at project: TrustProject) async throws -> (qrURL: String, webOTT: String) {
        let isOlder = project.generation == .trust2023
        let session = try await project.post(
            isOlder ? "/dvs/session" : "/rps/v2/session",
            [
                "description": "A debt of ten pounds", "hash": .string(hash),
                (isOlder ? "projectID" : "projectId"): .string(project.id),
                (isOlder ? "userID" : "userId"): "alice@example.com",
            ], expecting: 200)
        return (try #require(session.string("qrURL")), try #require(session.string("webOTT")))
    }

    /// A wrong PIN signs nothing, and the next one does.
    @Test func aWrongPINIsAskedAgain() async throws {
        try await withClient(.trust2025) { client in
            _ = try await client.verifyAndRegister("alice@example.com", at: try await client.project(.trust2025))
            try await KioskPerson(client, document: try Self.template()).run { person in
                try await person.begin(.signing)
                try await person.screen.view(at: .documentChoice)
                person.keypad.press(.digit(1), .enter)
                try await person.readAndAgree()
                try await person.typePIN("9999")
                try await person.screen.view(at: .wrongPIN)
                // The backend delays the next attempt.
                client.backend.clock.advance(by: .seconds(8))
                try await person.typePIN()
                try await person.outcome(.signed)
            }
        }
    }
}

extension KioskPerson {
    /// Goes from a one-page document to the PIN.
    fileprivate func readAndAgree() async throws {
        try await screen.view(at: .document)
        keypad.press(.enter)
        try await screen.view(at: .signQuestion)
        keypad.press(.enter)
        try await screen.view(at: .pin)
    }
}
