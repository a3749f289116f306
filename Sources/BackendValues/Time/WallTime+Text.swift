// SPDX-License-Identifier: Apache-2.0

/// The three spellings of a moment on the wire.
extension WallTime {
    /// `YYYY-MM-DDTHH:MM:SSZ`: `expires` of the D-TAs and `expireTime` towards the relying party.
    package var zonedText: String { date + "T" + timeOfDay + "Z" }

    /// `YYYY-MM-DDTHH:MM:SS.ffffff` without a zone letter: `expireTime` and `nowTime` of the registration reply.
    package var zonelessText: String { date + "T" + timeOfDay + microseconds }

    /// `YYYY-MM-DD HH:MM:SS.ffffff`: `issued` inside an mpin_id.
    package var issuedText: String { date + " " + timeOfDay + microseconds }

    /// Reads `YYYY-MM-DDTHH:MM:SSZ`; nil for anything else.
    package init?(zonedText: String) {
        let bytes = Array(zonedText.utf8)
        guard bytes.count == 20 else { return nil }
        for (position, separator) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":"), (19, "Z")] {
            guard bytes[position] == Array(separator.utf8)[0] else { return nil }
        }
        func number(_ range: Range<Int>) -> Int64? {
            var value: Int64 = 0
            for byte in bytes[range] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - 0x30)
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
        else { return nil }
        let days = Self.daysSinceEpoch(year: year, month: month, day: day)
        self.init(seconds: days * 86_400 + hour * 3600 + minute * 60 + second)
    }

    private var date: String {
        let (year, month, day) = Self.civilDate(daysSinceEpoch: seconds.flooredQuotient(by: 86_400))
        return Self.padded(year, to: 4) + "-" + Self.padded(month, to: 2) + "-" + Self.padded(day, to: 2)
    }

    private var timeOfDay: String {
        let second = seconds - seconds.flooredQuotient(by: 86_400) * 86_400
        return Self.padded(second / 3600, to: 2) + ":" + Self.padded(second / 60 % 60, to: 2) + ":"
            + Self.padded(second % 60, to: 2)
    }

    private var microseconds: String { "." + Self.padded((milliseconds - seconds * 1000) * 1000, to: 6) }

    private static func padded(_ value: Int64, to width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    // The proleptic Gregorian calendar by eras of 400 years (146 097 days), each beginning on the first of March, so
    // that the leap day is the last day of a year.

    private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
        let marchYear = month > 2 ? year : year - 1
        let era = marchYear.flooredQuotient(by: 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civilDate(daysSinceEpoch: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = daysSinceEpoch + 719_468
        let era = shifted.flooredQuotient(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
