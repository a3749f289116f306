// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import Logging
import LoginValues
import PersonalCards
import Synchronization
@testable import KioskRuntime

/// A kiosk between fakes of all its ports, on a clock that stands still.
struct KioskRig: Sendable {
    let kiosk: Kiosk
    let keypad = FakeKeypad()
    let screen: FakeScreen
    let scanner = FakeScanner()
    let clock = ManualClock()
    let steps: FakeStepRunner
    let log = LogCollector()

    static let code = "https://login.example.com#c0de1"

    init(
        session: BackendSession? = nil, trust: [String] = ["login.example.com"], errands: [Errand] = Errand.allCases,
        localLogins: [LocalLogin] = [], templates: [SigningTemplate] = [], policy: KioskPolicy = KioskPolicy(),
        documentRoom: DocumentPageSize? = .standard, isClockSet: @escaping @Sendable () -> Bool = { true },
        watches: [any KioskWatch] = [], fleet: FleetKey? = nil, cardRoom: Int = .max,
        desk: (any SetupDesk)? = nil, resetKeys: [KnownKey] = []
    ) throws {
        screen = FakeScreen(documentRoom: documentRoom, cardRoom: cardRoom)
        steps = FakeStepRunner(session: session)
        var logger = Logger(label: "test") { [log] _ in log }
        logger.logLevel = .trace
        kiosk = Kiosk(
            steps: steps, trust: TrustPolicy(lines: try trust.map { try TrustLine($0) }), keypad: keypad,
            screen: screen, symbols: scanner, localLogins: localLogins, errands: errands, templates: templates,
            policy: policy, fleet: fleet, desk: desk, resetKeys: resetKeys, clock: clock, isClockSet: isClockSet,
            watches: watches, logger: logger)
    }

    /// Runs the kiosk while `body` uses it, then switches it off and waits for it.
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

    /// From the scan to the PIN of the only identity.
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

/// Keeps every line that is logged.
final class LogCollector: LogHandler, Sendable {
    private let lines = Mutex<[String]>([])

    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }

    func log(event: LogEvent) {
        lines.withLock { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
    }
}
