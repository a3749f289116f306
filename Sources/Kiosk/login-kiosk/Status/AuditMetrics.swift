// SPDX-License-Identifier: Apache-2.0

import AuditTrail
import MetricsService

/// Counts the entries of the audit log.
struct AuditMetrics {
    let trail: AuditTrail
    let written = Counter("login_kiosk_audit_entries_total", "Entries of the audit log.")
    let missed = Counter("login_kiosk_audit_entries_missed_total", "Entries that the audit log lacks.")

    /// In output order, as the audit log is now.
    var all: [any Metric] {
        let progress = trail.progress
        written.set(total: Double(progress.written))
        missed.set(total: Double(progress.missed))
        return [written, missed]
    }
}
