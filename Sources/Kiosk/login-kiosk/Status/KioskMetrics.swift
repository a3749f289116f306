// SPDX-License-Identifier: Apache-2.0

import AuditTrail
import CommandLineInterface
import Foundation
import HostIntegration
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
    let sessions = LabelledCounter<SessionOutcome>(
        "login_kiosk_sessions_total", label: "outcome", "Sessions that ended, by outcome.")
    let wrongPINs = Counter("login_kiosk_wrong_pins_total", "PINs that a backend judged wrong.")
    let condition = StateGauge<KioskCondition>(
        "login_kiosk_condition", label: "condition", "How the kiosk is: 1 for the one that holds.")
    let camera = Gauge("login_kiosk_camera_up", "Whether the camera gives pictures.")
    let keypad = Gauge("login_kiosk_keypad_up", "Whether the keypad works.")
    let identities = Gauge("login_kiosk_identities", "Identities of people on this kiosk.")
    let heat = Gauge("login_kiosk_temperature_celsius", "The highest temperature that the machine measures.") {
        HeatCheck.celsius(SystemTree())
    }
    let underVoltage = Gauge("login_kiosk_under_voltage", "Whether a Raspberry Pi gets too little power now.") {
        PowerCheck.isTooLittle(SystemTree()).map { $0 ? 1 : 0 }
    }

    private let sessionTimes = Histogram(
        "login_kiosk_session_seconds", bounds: [2, 5, 10, 15, 20, 30, 45, 60, 120, 300],
        "From the code, or the choice in the menu, to the outcome.")
    private let failures = LabelledCounter<SessionOutcome>(
        "login_kiosk_step_failures_total", label: "reason", "Steps of sessions that failed, by reason.")
    private let refusedCodes = Counter("login_kiosk_codes_refused_total", "QR codes in view that begin nothing here.")
    private let refusedConsents = Counter("login_kiosk_consents_refused_total", "Persons who said: not me.")
    private let pickedWrongPINs = Counter(
        "login_kiosk_picked_wrong_pins_total", "Wrong PINs of people whom no login page and no card named.")
    private let pickedHeldUp = Counter(
        "login_kiosk_picked_held_up_total", "Such people who were not asked for a PIN, because too many were wrong.")
    private let registrationsHeldUp = Counter(
        "login_kiosk_registrations_held_up_total", "Registrations that were not begun, because too many were.")
    private let scanTimes = Histogram(
        "login_kiosk_scan_seconds", bounds: [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2],
        "From the instant of a picture to the session that its code began.")
    private let frames = Counter("login_kiosk_frames_total", "Pictures that were looked at.")
    private let droppedFrames = Counter(
        "login_kiosk_frames_dropped_total", "Pictures that a newer one took the place of.")
    private let damagedFrames = Counter("login_kiosk_frames_damaged_total", "Pictures that could not be decoded.")
    private let flawedFrames = Counter(
        "login_kiosk_frames_flawed_total", "Pictures that break a rule of their format and were decoded all the same.")
    private let symbols = Counter("login_kiosk_symbols_total", "QR codes that were read, the same one again and again.")
    private let decoding = Counter("login_kiosk_decoding_seconds_total", "Time that was spent on looking at pictures.")
    private let build = ConstantLabels(
        "login_kiosk_build_info", label: "version", value: Version.current, "The program's version.")
    private let startTime = Gauge("login_kiosk_start_time_seconds", "When the kiosk started, since 1970.")
    private let recorded = Counter("login_kiosk_audit_entries_total", "Entries of the record of sessions.")
    private let unrecorded = Counter("login_kiosk_audit_entries_missed_total", "Entries that could not be written.")

    private let trail: AuditTrail?
    /// A signal that identities may have come or gone.
    private let changes: AsyncStream<Void>
    private let changed: AsyncStream<Void>.Continuation

    init(trail: AuditTrail?) {
        self.trail = trail
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        changed.yield()
        startTime.set(Date().timeIntervalSince1970.rounded())
    }

    /// In output order.
    var all: [any Metric] {
        var all: [any Metric] = [
            build, startTime, condition, sessions, sessionTimes, wrongPINs, pickedWrongPINs, pickedHeldUp,
            registrationsHeldUp, failures, refusedCodes, refusedConsents,
            scanTimes, frames, droppedFrames, damagedFrames, flawedFrames, symbols, decoding, camera, keypad,
            identities, heat, underVoltage,
        ]
        if let progress = trail?.progress {
            recorded.set(total: Double(progress.written))
            unrecorded.set(total: Double(progress.missed))
            all += [recorded, unrecorded]
        }
        return all
    }

    // Reports of the kiosk.

    func changed(_ condition: KioskCondition) {
        self.condition.set(condition)
        // With the first view all early failures have been reported.
        if condition == .stopping { changed.finish() }
    }

    func happened(_ event: KioskEvent) {
        switch event {
        case .cameraChanged(let isWorking): camera.set(isWorking ? 1 : 0)
        case .keypadChanged(let isWorking): keypad.set(isWorking ? 1 : 0)
        case .codeRefused: refusedCodes.add()
        case .consentRefused: refusedConsents.add()
        case .pickedWrongPIN: pickedWrongPINs.add()
        case .pickedHeldUp: pickedHeldUp.add()
        case .registrationHeldUp: registrationsHeldUp.add()
        case .identityDeleted, .reset: changed.yield()
        case .started, .sessionOpened, .cardTaken, .personalCardTaken, .errandBegun, .consented, .sessionClosed,
            .setUp, .stopped:
            break
        }
    }

    func ended(_ session: EndedSession) {
        sessions.add(session.outcome)
        sessionTimes.observe(session.duration)
        changed.yield()
    }

    func stepFailed(_ outcome: SessionOutcome) {
        failures.add(outcome)
        if outcome == .wrongPIN { wrongPINs.add() }
    }

    func codeRead(taken: Duration) {
        let delay = MonotonicTime.now - taken
        // A film has a clock of its own.
        if (.zero)..<(.seconds(60)) ~= delay { scanTimes.observe(delay) }
    }

    func looked(_ statistics: ScannerStatistics) {
        frames.set(total: Double(statistics.frames))
        droppedFrames.set(total: Double(statistics.dropped))
        damagedFrames.set(total: Double(statistics.damaged))
        flawedFrames.set(total: Double(statistics.flawed))
        symbols.set(total: Double(statistics.symbols))
        decoding.set(total: statistics.decoding / .seconds(1))
    }

    /// Counts identities whenever they may have changed.
    func work(counting count: @escaping @Sendable () async -> Int?) -> LastingWork {
        LastingWork { [changes, identities] in
            for await _ in changes { identities.set(await count().map(Double.init)) }
        }
    }
}
