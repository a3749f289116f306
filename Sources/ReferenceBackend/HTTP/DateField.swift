// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// The time of a reply, as its `Date` field has it (RFC 9110, section 5.6.7); made once a second.
final class DateField: Sendable {
    private struct Made {
        var second: time_t
        var text: String
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private let made = Mutex(Made(second: -1, text: ""))

    var now: String { text(at: time(nil)) }

    /// - Parameter second: since 1970-01-01 UTC.
    func text(at second: time_t) -> String {
        made.withLock { made in
            if made.second != second { made = Made(second: second, text: Self.text(of: second)) }
            return made.text
        }
    }

    private static func text(of second: time_t) -> String {
        var (second, parts) = unsafe (second, tm())
        // Safe: both are lent for the call, and what it writes of the parts are numbers.
        unsafe gmtime_r(&second, &parts)
        let (weekday, month) = unsafe (weekdays[Int(parts.tm_wday)], months[Int(parts.tm_mon)])
        let (day, year) = unsafe (twoDigits(parts.tm_mday), parts.tm_year + 1900)
        let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits).joined(separator: ":")
        return "\(weekday), \(day) \(month) \(year) \(clock) GMT"
    }

    private static func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
