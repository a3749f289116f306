// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import Testing

@testable import ReferenceBackend

extension KioskPerson {
    /// A person at a kiosk whose time stands still, so that nothing is given up on a busy machine.
    static func unhurried(_ client: OwnClient) throws -> KioskPerson {
        try KioskPerson(client, clock: ManualClock())
    }

    func type(_ text: String, at stage: KioskStage) async throws {
        try await screen.view(at: stage)
        keypad.type(text)
        keypad.press(.enter)
    }

    /// Goes from the menu to the code screen.
    func begin(_ task: KioskTask, as userID: String) async throws {
        try await begin(task)
        try await type(userID, at: .identityEntry)
    }

    /// Registers with the mailed code.
    func typeMailedCode(_ client: OwnClient) async throws {
        // Before the kiosk asks for the code, the newest mail is another one.
        try await screen.view(at: .activationEntry)
        try await type(try await client.newestCodeText(), at: .activationEntry)
        try await choosePIN()
    }

    func leaveTask(_ title: PromptKey = .taskLeft) async throws {
        keypad.press(.back)
        try await outcome(title)
    }

    /// Shows the code of a waiting browser, and logs in.
    ///
    /// - Returns: the browser's user afterwards.
    func logIn(
        _ browser: WaitingBrowser, at client: OwnClient, card: String? = nil, pin: String = "1234"
    ) async throws -> String? {
        try await screen.view(at: .scan)
        if let card { try await show(card: card) }
        scanner.show(browser.qrText(at: client.backend))
        try await screen.view(at: .consent)
        keypad.press(.enter)
        try await typePIN(pin)
        // A classic device waits for its browser. A later one gets its answer before the browser asks.
        if client.dialect.isClassic {
            let user = try await browser.user(at: client.backend)
            try await screen.view(at: .outcome)
            return user
        }
        try await screen.view(at: .outcome)
        return try await browser.user(at: client.backend)
    }

    /// Goes from the menu to the details of an identity, by number if there are several.
    func showIdentity(_ number: Int? = nil) async throws {
        try await begin(.identities)
        if let number { try await type("\(number)", at: .identityChoice) }
        try await screen.view(at: .identityDetails)
    }
}

extension WaitingBrowser {
    /// The text of its picture.
    func qrText(at backend: RunningBackend) -> String { backend.url + "#" + code.text }
}

extension OwnClient {
    /// A second, empty device at the same backend.
    func anotherDevice() async throws -> OwnClient { try await OwnClient(backend, dialect, network, []) }

    /// The code to type of the newest mail.
    func newestCodeText() async throws -> String {
        try #require(try await backend.mails().first?.string("code"))
    }
}
