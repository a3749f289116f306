// SPDX-License-Identifier: Apache-2.0

import KioskCore
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import ReferenceBackend

/// What the kiosk's menu offers, by its keys and screens, against every backend that has it.
@Suite(.timeLimit(.minutes(5))) struct KioskErrandTests {
    @Test(arguments: [Backend.Dialect.milagro, .milagroWithoutPermits, .mfaV1])
    func aOneTimePassword(_ dialect: Backend.Dialect) async throws {
        try await withClient(dialect) { client in
            _ = try await client.register("alice@example.com")
            try await KioskPerson(client).run { person in
                try await person.begin(.oneTimePassword)
                try await person.typePIN()
                let password = try await person.issuedCode()
                #expect((4...16).contains(password.count) && password.allSatisfy(\.isNumber))
            }
        }
    }

    /// The mail's link is a QR code in front of the camera, on the idle screen.
    @Test func aLinkOfAMail() async throws {
        try await withClient(.trust2025) { client in
            let mail = await client.mpin.makeNewUser("alice@example.com")
            _ = try await client.mpin.startVerification(of: mail)
            let link = try #require(try await client.backend.mails().first?.string("link"))
            try await KioskPerson(client).run { person in
                try await person.screen.view(at: .scan)
                person.scanner.show(link)
                try await person.choosePIN()
                #expect(try await client.mpin.users().map(\.state) == [.registered])
            }
        }
    }
}
