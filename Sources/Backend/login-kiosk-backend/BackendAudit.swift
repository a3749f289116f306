// SPDX-License-Identifier: Apache-2.0

import AuditTrail
import BackendValues
import CommandLineInterface
import Foundation
import Logging
import MPinServer
import MetricsService

extension CheckedProof.Verdict: MetricLabel {}
extension MailOutcome: MetricLabel {}

/// The D-TA's number, 1 or 2.
enum AuthorityNumber: Int, MetricLabel {
    case first = 1
    case second

    var metricValue: String { "\(rawValue)" }
}

/// Records and counts verdicts and calls to other servers. No login waits for the disk.
final class BackendAudit: BackendObserver {
    private let trail: AuditTrail
    private let logger: Logger

    private let logins = LabelledCounter<CheckedProof.Verdict>(
        "login_kiosk_backend_logins_total", label: "verdict", "Logins whose PIN was checked.")
    private let signatures = LabelledCounter<CheckedProof.Verdict>(
        "login_kiosk_backend_signatures_total", label: "verdict", "Signatures that were checked.")
    private let written = Counter("login_kiosk_backend_audit_entries_total", "Entries of the audit log.")
    private let missed = Counter(
        "login_kiosk_backend_audit_entries_missed_total", "Entries that the audit log lacks.")
    private let authorities = LabelledGauge<AuthorityNumber>(
        "login_kiosk_backend_dta_up", label: "dta", "Whether a D-TA elsewhere answered the last request.")
    private let mails = LabelledCounter<MailOutcome>(
        "login_kiosk_backend_mails_total", label: "outcome", "Attempts to send a mail about a registration.")
    private let notices = LabelledCounter<MailOutcome>(
        "login_kiosk_backend_notices_total", label: "outcome", "Attempts to send a notice to the owner of an identity.")
    private let certificateEnd = Gauge(
        "login_kiosk_backend_certificate_end_time_seconds", "The end of the certificate, in seconds since 1970.")
    private let build = ConstantLabels(
        "login_kiosk_backend_build_info", label: "version", value: Version.current, "The program's version.")

    init(state: String, logger: Logger) {
        self.logger = logger
        trail = AuditTrail(in: BackendAudit.directory(in: state)) { fault in
            guard let fault else { return logger.notice("the audit log is kept again") }
            logger.critical(
                "the audit log cannot be kept", metadata: ["reason": "\(fault)", "hint": "\(fault.hint)"])
        }
    }

    static func directory(in state: String) -> String { "\(state)/audit" }

    func checked(_ proof: CheckedProof) {
        switch proof.kind {
        case .login: logins.add(proof.verdict)
        case .signature: signatures.add(proof.verdict)
        }
        // Attempts with a blocked or deleted identity may repeat without end, and do not test a PIN.
        note(
            AuditEntry(
                event: proof.kind.rawValue, outcome: proof.verdict.rawValue, who: proof.userID,
                detail: proof.browser.map { "browser: \($0.rawValue)" }),
            isRepeatable: proof.verdict == .blocked || proof.verdict == .unknown)
    }

    /// The identity's fingerprint distinguishes the devices of one person.
    func acted(_ deed: OperatorDeed) {
        note(AuditEntry(event: "operator", outcome: deed.action, who: deed.userID, detail: deed.fingerprint))
    }

    func revoked(userID: String, fingerprint: String) {
        note(AuditEntry(event: "owner", outcome: "revoke", who: userID, detail: fingerprint))
    }

    private func note(_ entry: AuditEntry, isRepeatable: Bool = false) {
        if !trail.note(entry, isRepeatable: isRepeatable) {
            logger.critical("a line is missing in the audit log: the disk hangs")
        }
    }

    func asked(authority number: Int, answers: Bool) {
        AuthorityNumber(rawValue: number).map { authorities.set(answers ? 1 : 0, for: $0) }
    }

    func mailed(_ kind: MailKind, _ outcome: MailOutcome) { (kind == .notice ? notices : mails).add(outcome) }

    func certified(until end: WallTime) { certificateEnd.set(Double(end.seconds)) }

    /// Writes the audit log until the caller has finished it and all entries are on the disk.
    func run() async { await trail.run() }

    func finish() { trail.finish() }

    var answers: OperatorAnswers {
        OperatorAnswers(
            metrics: { self.metrics },
            status: { Array(try JSONOutput.text(of: ["program": Version.current])) }, ailment: { nil })
    }

    private var metrics: [any Metric] {
        let progress = trail.progress
        written.set(total: Double(progress.written))
        missed.set(total: Double(progress.missed))
        return [
            build, logins, signatures, authorities, written, missed, mails, notices, certificateEnd,
        ]
    }
}
