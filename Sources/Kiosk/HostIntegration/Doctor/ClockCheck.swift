// SPDX-License-Identifier: Apache-2.0

import CTimex
import Foundation

/// Whether the clock is plausible: certificates and time permits depend on it.
public enum ClockCheck {
    /// 1 November 2026: no kiosk ran before.
    static let earliest = 1_793_491_200

    /// Whether it shows a time since this program was written; it may still be wrong.
    public static func isPlausible(_ facts: ClockFacts) -> Bool { facts.now >= earliest }

    public static func result(_ facts: ClockFacts) -> CheckResult {
        let now = Date(timeIntervalSince1970: TimeInterval(facts.now)).formatted(.iso8601)
        let battery =
            facts.hasBattery ? "" : "; there is no battery-backed clock, so that a start without network is wrong"
        guard isPlausible(facts) else {
            return .failure(
                "it shows \(now), before this program was made",
                remedy: "connect the network and wait, or set it: timedatectl set-time")
        }
        guard facts.isSynchronised else {
            return .warning(
                "it shows \(now), and nothing keeps it right\(battery)",
                remedy: "timedatectl set-ntp true, with systemd-timesyncd or chrony installed")
        }
        return .ok("it says \(now) and is kept right\(battery)")
    }
}

/// Facts about the machine's clock.
public struct ClockFacts: Sendable, Equatable {
    /// Seconds since 1970.
    var now: Int
    /// Whether the clock is synchronised: by the kernel's flag (adjtimex(2)), or the mark of systemd-timesyncd.
    var isSynchronised: Bool
    /// Whether a clock runs without power.
    var hasBattery: Bool

    public static func ofThisMachine() -> ClockFacts {
        var kernel = timex()
        // Safe: the call writes our own structure; without a mode it changes nothing.
        let state = unsafe adjtimex(&kernel)
        let isDisciplined = state >= 0 && kernel.status & STA_UNSYNC == 0
        let tree = SystemTree()
        return ClockFacts(
            now: time(nil), isSynchronised: isDisciplined || tree.isThere("run/systemd/timesync/synchronized"),
            hasBattery: tree.isThere("sys/class/rtc/rtc0"))
    }
}
