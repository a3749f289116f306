// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import MetricsService

/// Counts sessions, and what went wrong in them.
struct SessionMetrics {
    let outcomes = LabelledCounter<SessionOutcome>(
        "login_kiosk_sessions_total", label: "outcome", "Sessions that ended, by outcome.")
    let durations = Histogram(
        "login_kiosk_session_seconds", bounds: [2, 5, 10, 15, 20, 30, 45, 60, 120, 300],
        "From the code, or the choice in the menu, to the outcome.")
    let wrongPINs = Counter("login_kiosk_wrong_pins_total", "PINs that a backend found wrong.")
    let unverifiedWrongPINs = Counter(
        "login_kiosk_unverified_wrong_pins_total",
        "Wrong PINs of unverified users, whom no application and no card named.")
    let unverifiedHeldUp = Counter(
        "login_kiosk_unverified_held_up_total",
        "Unverified users who were not asked for a PIN, because too many were wrong.")
    let registrationsHeldUp = Counter(
        "login_kiosk_registrations_held_up_total", "Registrations that were not begun, because too many were.")
    let failures = LabelledCounter<SessionOutcome>(
        "login_kiosk_step_failures_total", label: "reason", "Steps of sessions that failed, by reason.")
    let refusedCodes = Counter("login_kiosk_codes_refused_total", "QR codes in view that begin nothing here.")
    let refusedConsents = Counter("login_kiosk_consents_refused_total", "Persons who said: not me.")

    /// In output order.
    var all: [any Metric] {
        [
            outcomes, durations, wrongPINs, unverifiedWrongPINs, unverifiedHeldUp, registrationsHeldUp, failures,
            refusedCodes, refusedConsents,
        ]
    }
}
