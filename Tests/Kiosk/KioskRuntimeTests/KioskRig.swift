// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import PersonalCards
@testable import KioskRuntime

/// A kiosk with fakes of all its ports, on a clock that stands still.
struct KioskRig: Sendable {
    let kiosk: Kiosk
    let keypad = FakeKeypad()
    let screen: FakeScreen
    let scanner = FakeScanner()
    let clock = ManualClock()
    let steps: FakeStepRunner
    let log = LogCapture()

    /// The time of day: 2026-11-26, 12:00 UTC.
    static let now: Int64 = 1_795_694_400
    static let code = "https://login.example.com#c0de1"

    init(
        session: BackendSession? = nil, trust: [String] = ["login.example.com"], errands: [Errand] = Errand.allCases,
        localLogins: [LocalLogin] = [], templates: [SigningTemplate] = [], policy: KioskPolicy = KioskPolicy(),
        documentRoom: DocumentPageSize? = .standard, isClockSet: @escaping @Sendable () -> Bool = { true },
        observers: [any KioskObserver] = [], fleet: FleetKey? = nil, cardRoom: Int = .max,
        setupService: (any SetupService)? = nil, resetKeys: [KnownKey] = []
    ) throws {
        screen = FakeScreen(documentRoom: documentRoom, cardRoom: cardRoom)
        steps = FakeStepRunner(session: session)
        kiosk = Kiosk(
            steps: steps, trust: TrustPolicy(lines: try trust.map { try TrustLine($0) }), keypad: keypad,
            screen: screen, symbols: scanner,
            features: KioskFeatures(
                localLogins: localLogins, errands: errands,
                signing: DocumentSigning(templates: templates) { _ in fatalError("the fake steps ask no application") },
                policy: policy, cards: fleet.map { FleetCards(key: $0, lifetime: 86_400) { KioskRig.now } },
                setupService: setupService, resetKeys: resetKeys),
            clock: clock, isClockSet: isClockSet,
            observers: observers, logger: log.logger)
    }

    /// Runs the kiosk while `body` uses it, then stops it and waits for its end.
    func run(_ body: @Sendable (KioskRig) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await kiosk.run() }
            do { try await body(self) } catch {
                group.cancelAll()
                throw error
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    /// Goes from the scan to the PIN of the only identity.
    func walkToPIN() async throws {
        scanner.show(KioskRig.code)
        try await screen.view(at: .consent)
        keypad.press(.enter)
        try await screen.view(at: .pin)
    }

    func typePIN(_ digits: String) async throws {
        keypad.type(digits)
        try await screen.view { $0.entry == .masked(count: digits.count, capacity: 6) }
        keypad.press(.enter)
    }

    func outcome(_ title: PromptKey) async throws {
        try await screen.view { $0.stage == .outcome && $0.title.key == title }
    }
}
