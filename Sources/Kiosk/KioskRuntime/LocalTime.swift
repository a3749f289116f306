// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A moment as clocks on the wall of this machine's time zone show it.
public struct LocalTime: Equatable {
    let year, month, day, hour, minute: Int

    /// - Parameter seconds: since 1970-01-01 UTC.
    /// - Returns: nil for what the C library cannot tell.
    init?(_ seconds: Int64) {
        var moment = time_t(seconds)
        var parts = unsafe tm()
        // Safe: both are ours, and written during the call; the name of the time zone is not looked at.
        guard unsafe localtime_r(&moment, &parts) != nil else { return nil }
        (year, month, day) = unsafe (Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
        (hour, minute) = unsafe (Int(parts.tm_hour), Int(parts.tm_min))
    }

    /// Such as `2027-11-26`, which every language reads the same way.
    var date: String { "\(year)-\(LocalTime.twoDigits(month))-\(LocalTime.twoDigits(day))" }
    /// Such as `18:02`.
    var clock: String { "\(LocalTime.twoDigits(hour)):\(LocalTime.twoDigits(minute))" }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Date and time of day; empty for what the C library cannot tell.
    public static func text(_ seconds: Int64) -> String { LocalTime(seconds).map { "\($0.date) \($0.clock)" } ?? "" }
}
