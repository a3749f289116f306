// SPDX-License-Identifier: Apache-2.0

import AuditTrail
import CommandLineInterface
import DisplayLink
import KioskMachine
import KioskPorts
import KioskRuntime
import MetricsService

/// The state of a running kiosk, for its operator: the metrics of `/metrics`, and the progress of the audit log.
struct KioskStatus: Codable {
    struct AuditLog: Codable {
        /// The number of the newest line, and its hash to be kept elsewhere.
        let number: UInt64?
        let head: String?
        let missed: UInt64
        /// The reason why nothing can be written now.
        let fault: String?
    }

    /// The kiosk's own panel.
    struct Display: Codable {
        /// `shown`, `held` or `missing`.
        let state: String
        /// In pixels, as the person sees it.
        let width: Int?
        let height: Int?
        /// The connector, if exactly one panel is connected.
        let connector: String?
        /// The reason why the panel is missing.
        let reason: String?
    }

    let version: Int
    let program: String
    let condition: String
    /// The same in words.
    let text: String
    /// The reason why people cannot log in.
    let ailment: String?
    let runningSeconds: Int64
    /// Counts by outcome, without zeros.
    let sessions: [String: Int]
    let wrongPINs: Int
    let cameraWorks: Bool?
    /// Cameras, sizes and formats that were passed over for the present ones, and why; nil for none.
    let passedOver: [String]?
    let keypadWorks: Bool?
    let identities: Int?
    let temperatureCelsius: Double?
    let underVoltage: Bool?
    /// Nil when no panel is wanted.
    let display: Display?
    /// The reason why nothing is heard of a kiosk that offers speech.
    let speechFault: String?
    /// Nil without an audit log.
    let auditLog: AuditLog?

    init(_ health: KioskHealth, _ metrics: KioskMetrics, trail: AuditTrail?) {
        version = 1
        program = Version.current
        condition = health.condition?.metricValue ?? "starting"
        text = health.condition.map { "\($0)" } ?? "starting"
        ailment = health.ailment
        runningSeconds = health.running.components.seconds
        let counts = SessionOutcome.allCases.map { ($0.rawValue, Int(metrics.sessions.outcomes[$0])) }
        sessions = Dictionary(counts.filter { $0.1 > 0 }, uniquingKeysWith: +)
        wrongPINs = Int(metrics.sessions.wrongPINs.value)
        cameraWorks = metrics.machine.camera.value.map { $0 != 0 }
        passedOver = health.passedOver.isEmpty ? nil : health.passedOver
        keypadWorks = metrics.machine.keypad.value.map { $0 != 0 }
        identities = metrics.machine.identities.value.map { Int($0) }
        temperatureCelsius = metrics.machine.heat.value
        underVoltage = metrics.machine.underVoltage.value.map { $0 != 0 }
        display = health.display.map { Display($0.panelState) }
        speechFault = health.speechFault
        auditLog = (trail?.progress).map { progress in
            AuditLog(
                number: progress.number, head: progress.head?.description, missed: progress.missed,
                fault: progress.fault?.description)
        }
    }

    private static func text(seconds: Int64) -> String {
        "\(seconds / 86_400) d \(seconds / 3600 % 24) h \(seconds / 60 % 60) min"
    }

    /// For people, one fact a line.
    var lines: [String] {
        var lines = [text]
        if let ailment, ailment != text { lines.append(ailment) }
        lines.append("running for \(Self.text(seconds: runningSeconds)), login-kiosk \(program)")
        let counts = sessions.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
        lines.append("sessions: \(counts.isEmpty ? "none yet" : counts.joined(separator: ", "))")
        lines.append("wrong PINs: \(wrongPINs)")
        if let identities { lines.append("identities: \(identities)") }
        if cameraWorks == false { lines.append("the camera gives no pictures") }
        lines += (passedOver ?? []).map { "passed over: \($0)" }
        if keypadWorks == false { lines.append("the keypad does not work") }
        if let temperatureCelsius { lines.append("temperature: \(Int(temperatureCelsius)) degrees Celsius") }
        if underVoltage == true { lines.append("the power supply gives too little") }
        if let display { lines.append(display.line) }
        if let speechFault { lines.append("there is no speech: \(speechFault)") }
        if let auditLog {
            lines.append(
                "audit log: \(auditLog.number.map { "line \($0)" } ?? "no line yet"), \(auditLog.missed) missed")
            if let fault = auditLog.fault { lines.append("the audit log cannot be kept: \(fault)") }
        }
        return lines
    }
}

extension KioskStatus.Display {
    init(_ panel: PanelState) {
        let connected = ConnectedPanels.all
        connector = connected.count == 1 ? connected[0].connector : nil
        switch panel {
        case .missing(let reason):
            (state, width, height) = ("missing", nil, nil)
            // The confined process chose the words.
            self.reason = PrintableText(reason).line
        case .held: (state, width, height, reason) = ("held", nil, nil, nil)
        case .shown(let panel): (state, width, height, reason) = ("shown", panel.width, panel.height, nil)
        }
    }

    /// For people.
    fileprivate var line: String {
        let place = connector.map { " at \($0)" } ?? ""
        if let width, let height { return "the panel\(place) shows the screen: \(width)x\(height)" }
        if let reason { return "no panel shows the screen: \(reason)" }
        return "another program draws at the panel\(place)"
    }
}

extension KioskStatus {
    /// The answers at the kiosk's socket, and at a port if the operator wants one.
    static func answers(_ health: KioskHealth, _ metrics: KioskMetrics, trail: AuditTrail?) -> OperatorAnswers {
        OperatorAnswers(
            metrics: { metrics.all },
            status: { Array(try JSONOutput.text(of: KioskStatus(health, metrics, trail: trail))) },
            ailment: { health.ailment })
    }
}
