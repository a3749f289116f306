// SPDX-License-Identifier: Apache-2.0

import BackendValues
import BackendTestKit
import KioskMachine
import KioskPorts
import KioskRuntime
import KioskTestKit
import LoginValues
import MPinClient
import PersonalCards
import Testing

@testable import ReferenceBackend

/// A person at a whole kiosk whose SDK is connected to a running backend.
struct KioskPerson: Sendable {
    let keypad = FakeKeypad()
    let screen = FakeScreen()
    let scanner = FakeScanner()
    private let kiosk: Kiosk
    private let tasks: [KioskTask]

    /// - Parameters:
    ///   - document: a document ready for signing.
    ///   - doors: the doors of an application.
    ///   - applicationURL: the application's address; nil for the backend's own.
    ///   - fleet: the key that seals personal cards.
    ///   - clock: the kiosk's clock.
    init(
        _ client: OwnClient, document: SigningTemplate? = nil, doors: [(name: String, door: any Door)] = [],
        at applicationURL: String? = nil, fleet: FleetKey? = nil, clock: some Clock<Duration> = ContinuousClock()
    ) throws {
        let trust = client.trust
        tasks = KioskTask.allCases.filter { $0 != .localLogin } + (doors.isEmpty ? [] : [.localLogin])
        let address = try WebAddress(applicationURL ?? client.backend.addresses.publicURL)
        let application = { @Sendable (service: WebAddress) in
            RelyingPartyApplication(
                at: service, transport: client.network, trust: trust, logger: client.backend.log.logger)
        }
        kiosk = Kiosk(
            sdk: client.mpin, trust: trust, keypad: keypad, screen: screen, symbols: scanner,
            features: KioskFeatures(
                localLogins: doors.compactMap {
                    LocalLogin($0.name, application: application(address), door: $0.door, trust: trust)
                }, tasks: tasks,
                signing: DocumentSigning(templates: document.map { [$0] } ?? [], application: application),
                cards: fleet.map { key in
                    // Tests advance the backend's clock, which the kiosk's cards use too.
                    FleetCards(key: key, lifetime: 86_400) { client.backend.clock.now.seconds }
                }),
            clock: clock, logger: client.backend.log.logger)
    }

    /// Runs the kiosk while `body` uses it.
    func run<Value: Sendable>(_ body: @Sendable (KioskPerson) async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await kiosk.run() }
            let value: Value
            do { value = try await body(self) } catch {
                group.cancelAll()
                throw error
            }
            group.cancelAll()
            try await group.waitForAll()
            return value
        }
    }

    func begin(_ task: KioskTask) async throws {
        try await screen.view(at: .scan)
        try await press(task)
    }

    /// Presses a task's entry, on a screen with a menu.
    func press(_ task: KioskTask) async throws {
        keypad.press(.menu)
        try await screen.view(at: .menu)
        let entry = try #require(tasks.firstIndex(of: task))
        // With more than nine entries a number counts on its page of six.
        guard tasks.count > 9 else { return keypad.press(.digit(UInt8(entry + 1))) }
        for _ in 0..<(entry / 6) { keypad.press(.menu) }
        keypad.press(.digit(UInt8(entry % 6 + 1)))
    }

    func typePIN(_ digits: String = "1234", at stage: KioskStage = .pin) async throws {
        try await screen.view(at: stage)
        keypad.type(digits)
        keypad.press(.enter)
    }

    func choosePIN() async throws {
        try await typePIN(at: .newPIN)
        try await typePIN(at: .newPINAgain)
        try await outcome(.registrationDone)
    }

    /// The digits on the screen.
    func issuedCode() async throws -> String {
        try await screen.view(at: .issuedCode)
        guard case .digits(let digits) = screen.views.last?.entry else { return "" }
        let text = digits.text
        keypad.press(.enter)
        try await screen.view(at: .scan)
        return text
    }

    func outcome(_ title: PromptKey) async throws {
        try await screen.view { $0.stage == .outcome }
        #expect(screen.views.last?.title.key == title)
        keypad.press(.enter)
        try await screen.view(at: .scan)
    }
}
