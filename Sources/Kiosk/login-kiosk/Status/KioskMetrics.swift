// SPDX-License-Identifier: Apache-2.0

import AuditTrail
import CommandLineInterface
import Foundation
public import KioskMachine
import KioskPorts
import KioskRuntime
import LinuxSystem
public import MetricsService

extension SessionOutcome: MetricLabel {}

extension KioskCondition: MetricLabel {
    public var metricValue: String {
        switch self {
        case .untrusted: "untrusted"
        case .unprovisioned: "unprovisioned"
        case .waitingForTime: "waiting_for_time"
        case .withoutPictures: "without_pictures"
        case .withUnreadablePictures: "with_unreadable_pictures"
        case .withoutKeys: "without_keys"
        case .ready: "ready"
        case .resting: "resting"
        case .serving: "serving"
        case .stopping: "stopping"
        }
    }
}

/// Counts the kiosk's work: `docs/metrics.md` has the list. No person or service is named.
final class KioskMetrics: KioskObserver {
    let sessions = SessionMetrics()
    let machine = MachineMetrics()
    private let scanner = ScannerMetrics()
    private let audit: AuditMetrics?
    private let condition = StateGauge<KioskCondition>(
        "login_kiosk_condition", label: "condition", "How the kiosk is: 1 for the one that holds.")
    private let build = ConstantLabels(
        "login_kiosk_build_info", label: "version", value: Version.current, "The program's version.")
    private let startTime = Gauge("login_kiosk_start_time_seconds", "When the kiosk started, since 1970.")

    /// A signal that identities may have come or gone.
    private let changes: AsyncStream<Void>
    private let changed: AsyncStream<Void>.Continuation

    init(trail: AuditTrail?) {
        audit = trail.map { AuditMetrics(trail: $0) }
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        changed.yield()
        startTime.set(Date().timeIntervalSince1970.rounded())
    }

    /// In output order.
    var all: [any Metric] {
        let groups: [[any Metric]] = [
            [build, startTime, condition], sessions.all, scanner.all, machine.all, audit?.all ?? [],
        ]
        return Array(groups.joined())
    }

    // Reports of the kiosk.

    func changed(_ condition: KioskCondition) {
        self.condition.set(condition)
        // With the first view all early failures have been reported.
        if condition == .stopping { changed.finish() }
    }

    func happened(_ event: KioskEvent) {
        switch event {
        case .cameraChanged(let isWorking): machine.camera.set(isWorking ? 1 : 0)
        case .keypadChanged(let isWorking): machine.keypad.set(isWorking ? 1 : 0)
        case .codeRefused: sessions.refusedCodes.add()
        case .consentRefused: sessions.refusedConsents.add()
        case .unverifiedWrongPIN: sessions.unverifiedWrongPINs.add()
        case .unverifiedHeldUp: sessions.unverifiedHeldUp.add()
        case .registrationHeldUp: sessions.registrationsHeldUp.add()
        case .identityDeleted, .reset: changed.yield()
        case .started, .sessionOpened, .cardTaken, .personalCardTaken, .taskBegun, .consented, .sessionClosed,
            .setUp, .stopped:
            break
        }
    }

    func ended(_ session: EndedSession) {
        sessions.outcomes.add(session.outcome)
        sessions.durations.observe(session.duration)
        changed.yield()
    }

    func stepFailed(_ outcome: SessionOutcome) {
        sessions.failures.add(outcome)
        if outcome == .wrongPIN { sessions.wrongPINs.add() }
    }

    func codeRead(taken: Duration) {
        let delay = MonotonicTime.now - taken
        // A film has a clock of its own.
        if (.zero)..<(.seconds(60)) ~= delay { scanner.times.observe(delay) }
    }

    func looked(_ statistics: ScannerStatistics) { scanner.set(statistics) }

    /// Counts identities whenever they may have changed.
    func work(counting count: @escaping @Sendable () async -> Int) -> LastingWork {
        LastingWork { [changes, identities = machine.identities] in
            for await _ in changes { identities.set(Double(await count())) }
        }
    }
}
