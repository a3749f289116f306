// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import Patience
import PersonalCards
import ScreenTestKit
import Testing
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
        session: BackendSession? = nil, trust: [String] = ["login.example.com"],
        tasks: [KioskTask] = KioskTask.allCases,
        localLogins: [LocalLogin] = [], templates: [SigningTemplate] = [], policy: KioskPolicy = KioskPolicy(),
        documentRoom: DocumentPageSize? = .standard, isClockSet: @escaping @Sendable () -> Bool = { true },
        observers: [any KioskObserver] = [], fleet: FleetKey? = nil, cardRoom: Int = .max,
        provisioning: (any ProvisioningService)? = nil, resetKeys: [KnownKey] = []
    ) throws {
        screen = FakeScreen(documentRoom: documentRoom, cardRoom: cardRoom)
        steps = FakeStepRunner(session: session)
        kiosk = Kiosk(
            steps: steps, trust: TrustPolicy(lines: try trust.map { try TrustLine($0) }), keypad: keypad,
            screen: screen, symbols: scanner,
            features: KioskFeatures(
                localLogins: localLogins, tasks: tasks,
                signing: DocumentSigning(templates: templates) { _ in fatalError("the fake steps ask no application") },
                policy: policy, cards: fleet.map { FleetCards(key: $0, lifetime: 86_400) { KioskRig.now } },
                provisioning: provisioning, resetKeys: resetKeys),
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

    /// Runs the kiosk while a script is played.
    func run(_ script: String, showing code: String = "", at place: SourceLocation = #_sourceLocation) async throws {
        try await run { try await $0.play(script, showing: code, at: place) }
    }

    /// Plays a script in the form of `Tests/flows`. Statements stand on lines of their own, or behind a semicolon.
    ///
    ///     qr login                    the camera sees the code of the login page, `qr code`: `code`, or `qr "text"`
    ///     key 2583 enter              also `type alice@example.com`
    ///     time 1                      so many seconds pass
    ///     wait pin, hint registered   until all of this is true of the view: `ViewClauses`
    ///     called abort                until a step was called whose words begin so
    ///     camera paused               until the camera is paused; `camera on` until it looks
    func play(
        _ script: String, showing code: String = "", at place: SourceLocation = #_sourceLocation
    ) async throws {
        var place = place
        for line in script.split(separator: "\n", omittingEmptySubsequences: false) {
            // The text begins below the call.
            if script.contains("\n") { place.line += 1 }
            for statement in line.split(separator: "; ").map({ String($0.drop { $0 == " " }) })
            where !statement.isEmpty && !statement.hasPrefix("#") {
                do { try await take(statement, code) } catch {
                    let view = screen.views.last?.clauses ?? "nothing"
                    Issue.record("\(statement)\n\(error)\n\(view)\n\(steps.calls)", sourceLocation: place)
                    throw error
                }
            }
        }
    }

    private func take(_ statement: String, _ code: String) async throws {
        let rest = statement.drop { $0 != " " }.dropFirst()
        switch statement.prefix(while: { $0 != " " }) {
        case "qr" where rest == "code": scanner.show(code)
        case let verb where ViewClauses.verbs.contains(String(verb)):
            let clauses = ViewClauses(statement)
            try await screen.view { clauses.fault(in: $0) == nil }
        case "time":
            await clock.waitForSleepers()
            clock.advance(by: .seconds(Double(rest) ?? 0))
        case "called": try await steps.waitForCall(String(rest))
        case "camera": try await Patience.until { scanner.switched.last == (rest == "on") }
        default:
            for line in try FlowScript(statement).lines {
                switch line.action {
                case .press(let keys): for key in keys { keypad.press(key) }
                case .sight(.loginPage): scanner.show(KioskRig.code)
                case .sight(.code(let text)): scanner.show(text)
                default: throw FlowAtARig(statement: statement)
                }
            }
        }
    }

    private struct FlowAtARig: Error { let statement: String }

    /// The events of a kiosk that has ended.
    func events() async -> [KioskEvent] {
        var events: [KioskEvent] = []
        for await event in kiosk.events { events.append(event) }
        return events
    }

    /// Goes from the scan to the PIN of the only identity.
    func walkToPIN() async throws { try await play("qr login; wait consent; key enter; wait pin") }

    /// Goes from the menu's first entry to the PIN of the only identity.
    func walkToTask() async throws { try await play("wait scan; key menu 1; wait pin") }
}
