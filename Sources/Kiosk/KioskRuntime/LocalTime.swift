// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A moment in the time zone of this machine.
public struct LocalTime: Equatable {
    let year, month, day, hour, minute: Int

    /// - Parameter seconds: since 1970-01-01 UTC.
    /// - Returns: nil when the C library cannot convert it.
    init?(_ seconds: Int64) {
        var moment = time_t(seconds)
        var parts = unsafe tm()
        // Safe: the call reads and writes our own values; the pointer to the time zone's name is not used.
        guard unsafe localtime_r(&moment, &parts) != nil else { return nil }
        (year, month, day) = unsafe (Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
        (hour, minute) = unsafe (Int(parts.tm_hour), Int(parts.tm_min))
    }

    /// For example `2027-11-26`, which all languages read the same way.
    var date: String { "\(year)-\(LocalTime.twoDigits(month))-\(LocalTime.twoDigits(day))" }
    /// For example `18:02`.
    var clock: String { "\(LocalTime.twoDigits(hour)):\(LocalTime.twoDigits(minute))" }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Date and time of day; empty when the C library cannot convert it.
    public static func text(_ seconds: Int64) -> String { LocalTime(seconds).map { "\($0.date) \($0.clock)" } ?? "" }
}
