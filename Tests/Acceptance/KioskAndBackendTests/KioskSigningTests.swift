// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import KioskMachine
import KioskPorts
import KioskTestKit
import MPinClient
import Patience
import Sealing
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// A web site asks for a signature, and the person at the kiosk declines. `Tests/flows` has those who sign.
@Suite(.timeLimit(.minutes(10))) struct KioskSigningTests {
    static let document = "I owe Bob ten pounds.\n\tAlice "
    static let hash = Hexadecimal.text(Digest.sha256(Array(document.utf8)))

    static func template() throws -> SigningTemplate {
        SigningTemplate(title: DisplayText("Debt"), text: try DocumentText(Array(document.utf8)))
    }

    @Test(arguments: [Dialect.trust2023, .trust2025])
    func aDeclinedSessionIsAborted(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            _ = try await client.register()
            let session = try await client.session([
                "hash": .string(Self.hash), "description": "A debt of ten pounds", "userId": "alice@example.com",
            ])
            try await KioskPerson(client).run { person in
                try await person.screen.view(at: .scan)
                person.scanner.show(session.qrText(at: client.backend))
                try await person.screen.view { $0.title == Prompt(.consentSignTitle) }
                person.keypad.press(.enter)
                try await person.screen.view { $0.document?.lines.map(\.shown) == ["A debt of ten pounds"] }
                person.keypad.press(.back)
                try await person.outcome(.signingDeclined)
                // The kiosk does not wait for the server to learn of it.
                try await Patience.until { try await session.access(at: client.backend).string("status") == "abort" }
            }
        }
    }
}
