// SPDX-License-Identifier: Apache-2.0

import KioskCore
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import ReferenceBackend

/// What the kiosk's menu offers, by its keys and screens, against every backend that has it.
@Suite struct KioskErrandTests {
    @Test(arguments: [Backend.Dialect.milagro, .milagroWithoutPermits, .mfaV1, .mfaV2])
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

    @Test(arguments: [(Backend.Dialect.milagro, Errand.quickCode), (.trust2025, .oneTimePassword)])
    func whatABackendDoesNotHaveIsSaid(_ dialect: Backend.Dialect, _ errand: Errand) async throws {
        try await withClient(dialect) { client in
            try await KioskPerson(client).run { person in
                try await person.register(client, dialect)
                try await person.begin(errand)
                try await person.outcome(.errandNotOffered)
            }
        }
    }

    /// The code enrols the same person anew, here on the same device, after the identity was deleted with its PIN.
    @Test(arguments: [Backend.Dialect.mfaV2, .trust2023, .trust2025])
    func aCodeForAnotherDevice(_ dialect: Backend.Dialect) async throws {
        try await withClient(dialect) { client in
            try await KioskPerson(client).run { person in
                try await person.register(client, dialect)
                try await person.begin(.quickCode)
                try await person.typePIN()
                let code = try await person.issuedCode()
                try await person.deleteIdentity()
                #expect(try await client.mpin.users().isEmpty)
                try await person.begin(.enrolment)
                try await person.type("alice@example.com", at: .identityEntry)
                try await person.type(code, at: .activationEntry)
                try await person.choosePIN()
                #expect(try await client.mpin.users().map(\.state) == [.registered])
            }
        }
    }

    @Test(arguments: [Backend.Dialect.milagro, .milagroWithoutPermits, .mfaV1, .mfaV2, .trust2023, .trust2025])
    func anIdentityGoesOnlyWithItsPIN(_ dialect: Backend.Dialect) async throws {
        try await withClient(dialect) { client in
            try await KioskPerson(client).run { person in
                try await person.register(client, dialect)
                try await person.askForDeletion()
                try await person.typePIN("9876")
                try await person.screen.view(at: .wrongPIN)
                person.keypad.press(.back)
                try await person.outcome(.errandLeft)
                #expect(try await client.mpin.users().map(\.state) == [.registered])
                try await person.deleteIdentity()
                #expect(try await client.mpin.users().isEmpty)
            }
        }
    }

    @Test func aCodeThatNobodyMadeIsRefused() async throws {
        try await withClient(.mfaV2) { client in
            try await KioskPerson(client).run { person in
                try await person.begin(.enrolment)
                try await person.type("alice@example.com", at: .identityEntry)
                try await person.type("000000", at: .activationEntry)
                try await person.screen.view { $0.hint == Prompt(.activationRefused) }
            }
            #expect(try await client.mpin.users().isEmpty)
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

extension KioskPerson {
    /// Registers with the PIN 1234: in the Trust dialects here by the code of a mail's link, before them as ever.
    fileprivate func register(_ client: OwnClient, _ dialect: Backend.Dialect) async throws {
        guard let generation = dialect.platformGeneration else {
            _ = try await client.register("alice@example.com")
            return
        }
        let project = try await TrustProject(generation, at: client.backend, isOrigin: true)
        try await begin(.verification)
        try await type("alice@example.com", at: .identityEntry)
        try await screen.view(at: .activationEntry)
        try await type(try await project.newestCode(), at: .activationEntry)
        try await choosePIN()
    }

    fileprivate func askForDeletion() async throws {
        try await begin(.identities)
        try await screen.view(at: .identityDetails)
        keypad.press(.digit(2), .digit(2))
    }

    fileprivate func deleteIdentity() async throws {
        try await askForDeletion()
        try await typePIN()
        try await outcome(.identityDeleted)
    }
}
