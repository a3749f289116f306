// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import MetricsService

/// Counts the scanner's work.
struct ScannerMetrics {
    let times = Histogram(
        "login_kiosk_scan_seconds", bounds: [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2],
        "From the instant of a picture to the session that its code began.")
    let frames = Counter("login_kiosk_frames_total", "Pictures that were looked at.")
    let dropped = Counter("login_kiosk_frames_dropped_total", "Pictures that a newer one took the place of.")
    let damaged = Counter("login_kiosk_frames_damaged_total", "Pictures that could not be decoded.")
    let flawed = Counter(
        "login_kiosk_frames_flawed_total", "Pictures that break a rule of their format and were decoded all the same.")
    let symbols = Counter("login_kiosk_symbols_total", "QR codes that were read, the same one again and again.")
    let decoding = Counter("login_kiosk_decoding_seconds_total", "Time that was spent on looking at pictures.")

    /// In output order.
    var all: [any Metric] { [times, frames, dropped, damaged, flawed, symbols, decoding] }

    func set(_ statistics: ScannerStatistics) {
        frames.set(total: Double(statistics.frames))
        dropped.set(total: Double(statistics.dropped))
        damaged.set(total: Double(statistics.damaged))
        flawed.set(total: Double(statistics.flawed))
        symbols.set(total: Double(statistics.symbols))
        decoding.set(total: statistics.decoding / .seconds(1))
    }
}
