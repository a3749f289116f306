// SPDX-License-Identifier: Apache-2.0

import Patience
import BackendTestKit
import BackendValues
import Encoding
import KioskPorts
import KioskTestKit
import Testing

@testable import BackendDatabases
@testable import MPinServer
@testable import ReferenceBackend

/// The words of a relying party about a login, on the kiosk's consent screen.
@Suite(.timeLimit(.minutes(10))) struct KioskLoginTests {
    /// The consent screen quotes the site's words before the PIN is asked for.
    @Test func theTaskIsRead() async throws {
        try await withClient(.trust2025) { client in
            _ = try await client.register()
            let reply = try await client.backend.client.post(
                "/rps/v2/session", ["projectId": .string(client.companyID), "description": "Open the archive"],
                headers: client.backend.relyingPartyFields)
            let code = try #require(reply.object.string("qrURL"))
            try await KioskPerson.unhurried(client).run { person in
                try await person.screen.view(at: .scan)
                person.scanner.show(code)
                try await person.screen.view(at: .consent)
                let lines = try #require(person.screen.views.last).lines
                #expect(lines.contains(Prompt(.consentTask, [.name: "Open the archive"])))
                person.keypad.press(.enter)
                try await person.typePIN()
                try await person.outcome(.success)
            }
        }
    }

    /// A person sent by an application sees its name and host before the PIN.
    @Test(arguments: [Dialect.milagro, .trust2025]) func consentNamesTheApplication(_ dialect: Dialect) async throws {
        try await withClient(dialect) { client in
            _ = try await client.register()
            let state = try BackendState(directory: client.backend.state.path, clock: client.backend.clock)
            let address = "https://time.example.com/back"
            let (application, _) = try await state.addApplication(
                name: "Time sheets", redirectURIs: [address], isPublic: true)
            let page = Browser(client.backend)
            // The challenge is RFC 7636's own example.
            let query = FormFields.text([
                ("client_id", application.id), ("redirect_uri", address), ("response_type", "code"),
                ("scope", "openid"), ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
                ("code_challenge_method", "S256"),
            ])
            try #require(try await page.get("/authorize?" + query).status == 200)
            let code = try await page.authorizationCode(below: "")
            try await KioskPerson.unhurried(client).run { person in
                try await person.screen.view(at: .scan)
                person.scanner.show(client.backend.addresses.publicURL + "#" + code)
                try await person.screen.view(at: .consent)
                let consent = try #require(person.screen.views.last { $0.stage == .consent })
                let line = Prompt(.consentApplication, [.application: "Time sheets (time.example.com)"])
                #expect(consent.lines.contains(line))
            }
        }
    }
}
