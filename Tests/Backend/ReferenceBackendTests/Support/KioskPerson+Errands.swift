// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import Testing
@testable import ReferenceBackend

extension KioskPerson {
    /// At a kiosk whose own time stands still: on a loaded machine nothing is given up before the person has seen it.
    static func unhurried(_ client: OwnClient) throws -> KioskPerson {
        try KioskPerson(client, clock: KioskTestKit.ManualClock())
    }

    func type(_ text: String, at stage: KioskStage) async throws {
        try await screen.view(at: stage)
        keypad.type(text)
        keypad.press(.enter)
    }

    /// From the menu to where a code is asked for.
    func begin(_ errand: Errand, as userID: String) async throws {
        try await begin(errand)
        try await type(userID, at: .identityEntry)
    }

    /// Types a code that is not taken.
    func typeInVain(_ code: String) async throws {
        try await screen.view { $0.stage == .activationEntry && $0.hint == nil }
        keypad.type(code)
        keypad.press(.enter)
        try await screen.view { $0.stage == .activationEntry && $0.hint == Prompt(.activationRefused) }
        // Typing takes the remark away, for the next one to be seen.
        keypad.press(.clear)
        try await screen.view { $0.hint == nil }
    }

    /// Registers with the code of the mail that was sent.
    func typeMailedCode(_ client: OwnClient) async throws {
        // Before it is asked for, the newest mail is another one.
        try await screen.view(at: .activationEntry)
        try await type(try await client.newestCodeText(), at: .activationEntry)
        try await choosePIN()
    }

    /// Runs the kiosk for one code with which another device is enrolled.
    func quickCode() async throws -> String {
        try await run { person in
            try await person.begin(.quickCode)
            try await person.typePIN()
            return try await person.issuedCode()
        }
    }

    func leaveErrand(_ title: PromptKey = .errandLeft) async throws {
        keypad.press(.back)
        try await outcome(title)
    }

    /// Holds the code of a waiting browser up, or types it at the only service, and logs in.
    ///
    /// - Returns: whom the browser knows then.
    func logIn(
        _ browser: WaitingBrowser, at client: OwnClient, typed number: String? = nil, card: String? = nil,
        pin: String = "1234"
    ) async throws -> String? {
        try await screen.view(at: .scan)
        if let card {
            scanner.show(card)
            try await screen.view(at: .card)
        }
        if let number {
            keypad.press(.digit(0))
            try await type(number, at: .codeEntry)
        } else {
            scanner.show(browser.qrText(at: client.backend))
        }
        try await screen.view(at: .consent)
        keypad.press(.enter)
        try await typePIN(pin)
        // A classic device waits for its browser; a later one has its answer before the browser asks.
        if client.dialect.isClassic {
            let user = try await browser.user(at: client.backend)
            try await screen.view(at: .outcome)
            return user
        }
        try await screen.view(at: .outcome)
        return try await browser.user(at: client.backend)
    }

    /// From the menu to what is known about an identity, as its number finds it where there are several.
    func showIdentity(_ number: Int? = nil) async throws {
        try await begin(.identities)
        if let number { try await type("\(number)", at: .identityChoice) }
        try await screen.view(at: .identityDetails)
    }
}

extension WaitingBrowser {
    /// What its picture says.
    func qrText(at backend: RunningBackend) -> String {
        backend.url + "#"
            + code.withCharacters { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }
}

extension OwnClient {
    /// A second device of the same backend, with nobody on it.
    func anotherDevice() async throws -> OwnClient { try await OwnClient(backend, dialect, network, []) }

    /// As ``newestCode()``, for a person who types it.
    func newestCodeText() async throws -> String {
        try await newestCode().withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }
}
