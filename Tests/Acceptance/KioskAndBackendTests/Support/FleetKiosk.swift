// SPDX-License-Identifier: Apache-2.0

import BackendValues
import BackendTestKit
import KioskPorts
import KioskTestKit
import LoginValues
import MPinClient
import PersonalCards
import Testing

@testable import ReferenceBackend

extension FleetKey {
    /// The key of the kiosks of these tests.
    static var shared: FleetKey {
        get throws { try #require(FleetKey(LoginValues.SecretBytes(copying: (0..<32).map { UInt8($0) }))) }
    }
}

extension OwnClient {
    /// The text of a personal card for the kiosks of the fleet.
    func card(of user: User) async throws -> String {
        let cards = FleetCards(key: try .shared, lifetime: 86_400) { backend.clock.now.seconds }
        return try #require(cards.card(of: try await mpin.portableIdentity(of: user))).text.text
    }

    /// Runs a kiosk of the fleet where nobody is registered.
    func atAnotherKiosk<Value: Sendable>(
        _ body: @Sendable (KioskPerson, OwnClient) async throws -> Value
    ) async throws -> Value {
        let elsewhere = try await anotherDevice()
        let kiosk = try KioskPerson(elsewhere, fleet: .shared, clock: ManualClock())
        return try await kiosk.run { try await body($0, elsewhere) }
    }
}

extension KioskPerson {
    func show(card: String) async throws {
        scanner.show(card)
        try await screen.view(at: .card)
    }

    /// Shows a card and the code of a login page, agrees, and types a PIN.
    func logIn(card: String, to page: WaitingBrowser, at client: OwnClient, pin: String = "1234") async throws {
        try await show(card: card)
        scanner.show(page.qrText(at: client.backend))
        try await screen.view(at: .consent)
        keypad.press(.enter)
        try await typePIN(pin)
    }
}
