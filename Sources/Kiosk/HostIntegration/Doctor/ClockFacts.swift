// SPDX-License-Identifier: Apache-2.0

import CTimex
import Glibc

/// Facts about the machine's clock.
public struct ClockFacts: Sendable, Equatable {
    /// Seconds since 1970.
    public var now: Int
    /// Whether the clock is synchronised: by the kernel's flag (adjtimex(2)), or the mark of systemd-timesyncd.
    public var isSynchronised: Bool
    /// Whether a clock runs without power.
    public var hasBattery: Bool

    public init(now: Int, isSynchronised: Bool, hasBattery: Bool) {
        self.now = now
        self.isSynchronised = isSynchronised
        self.hasBattery = hasBattery
    }

    public static func ofThisMachine() -> ClockFacts {
        var kernel = timex()
        // Safe: the call writes our own structure; without a mode it changes nothing.
        let state = unsafe adjtimex(&kernel)
        let isDisciplined = state >= 0 && kernel.status & STA_UNSYNC == 0
        return ClockFacts(
            now: time(nil),
            isSynchronised: isDisciplined || FileFacts("/run/systemd/timesync/synchronized") != nil,
            hasBattery: FileFacts("/sys/class/rtc/rtc0") != nil)
    }
}
