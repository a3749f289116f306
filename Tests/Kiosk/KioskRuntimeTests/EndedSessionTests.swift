// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import Patience
import Synchronization
import Testing
@testable import KioskRuntime

@Suite("The events for the audit log", .timeLimit(.minutes(10)))
struct EndedSessionTests {
    final class Listener: KioskObserver {
        private struct State {
            var sessions: [EndedSession] = []
            var failures: [SessionOutcome] = []
            var events: [KioskEvent] = []
            var looks: [ScannerStatistics] = []
        }
        private let state = Mutex(State())

        var sessions: [EndedSession] { state.withLock(\.sessions) }
        var failures: [SessionOutcome] { state.withLock(\.failures) }
        var events: [KioskEvent] { state.withLock(\.events) }
        var looks: [ScannerStatistics] { state.withLock(\.looks) }

        func changed(_ condition: KioskCondition) {}
        func ended(_ session: EndedSession) { state.withLock { $0.sessions.append(session) } }
        func stepFailed(_ outcome: SessionOutcome) { state.withLock { $0.failures.append(outcome) } }
        func happened(_ event: KioskEvent) { state.withLock { $0.events.append(event) } }
        func looked(_ statistics: ScannerStatistics) { state.withLock { $0.looks.append(statistics) } }
    }

    @Test func whoWhereWhatAndHowLong() async throws {
        let listener = Listener()
        let rig = try KioskRig(observers: [listener])
        try await rig.run(
            """
            qr login; wait consent; key enter; wait pin; time 7; key 1111 enter; wait wrongPIN; time 1; wait pin
            key 2583 enter; wait outcome, title success
            """)
        let session = try #require(listener.sessions.first)
        #expect(listener.sessions.count == 1)
        #expect(session.task == .login && session.outcome == .loggedIn && session.number == SessionNumber(1))
        #expect(session.place == "login.example.com" && session.userID == "alice@example.com")
        #expect(session.duration == .seconds(8))
        #expect(listener.failures == [.wrongPIN] && session.wrongPINs == 1)
        #expect(listener.events.first == .started && listener.events.last == .stopped)
    }

    /// A guess that is given up by BACK is still a guess. The next session has none, and its own person.
    @Test func wrongPINsOfASessionThatWasLeft() async throws {
        let listener = Listener()
        let rig = try KioskRig(observers: [listener])
        try await rig.run(
            """
            qr login; wait consent; key enter; wait pin; key 1111 enter; wait wrongPIN; key back; wait outcome, tone ready
            key enter; wait scan; qr "https://login.example.com#c0de2"; wait consent; key back; wait outcome
            """)
        #expect(listener.sessions.map(\.outcome) == [.declined, .declined])
        #expect(listener.sessions.map(\.wrongPINs) == [1, 0])
        #expect(listener.sessions.map(\.userID) == ["alice@example.com", nil])
    }

    @Test func aSessionThatIsCutShortIsToldBeforeTheEnd() async throws {
        let listener = Listener()
        let rig = try KioskRig(observers: [listener])
        try await rig.run("qr login; wait consent; key enter; wait pin")
        #expect(listener.sessions.map(\.outcome) == [.stopped])
    }

    @Test func countersOfTheScannerArePassedOn() async throws {
        let listener = Listener()
        let rig = try KioskRig(observers: [listener])
        var statistics = ScannerStatistics()
        statistics.frames = 12
        let sent = statistics
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            rig.scanner.report(.statistics(sent))
            try await Patience.until { !listener.looks.isEmpty }
        }
        #expect(listener.looks == [sent])
    }
}
