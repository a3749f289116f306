// SPDX-License-Identifier: Apache-2.0

/// Dates in headers, in each of the three forms that a recipient has to read (RFC 9110, section 5.6.7). The day of the
/// week is ignored.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let maximumLength = 64

    /// - Returns: seconds since 1970-01-01 UTC; nil for anything but a date.
    static func seconds(_ text: String) -> Int64? {
        guard text.utf8.count <= maximumLength else { return nil }
        let words = text.split(separator: " ").map(String.init)
        switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT
        case 6 where words[5] == "GMT": return seconds(day: words[1], month: words[2], year: words[3], time: words[4])
        // Sunday, 06-Nov-94 08:49:37 GMT
        case 4 where words[3] == "GMT":
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard date.count == 3, date[2].utf8.count == 2, let year = Int(date[2]) else { return nil }
            let century = year < 70 ? 2000 : 1900
            return seconds(day: date[0], month: date[1], year: "\(century + year)", time: words[2])
        // Sun Nov  6 08:49:37 1994
        case 5: return seconds(day: words[2], month: words[1], year: words[4], time: words[3])
        default: return nil
        }
    }

    private static func seconds(day: String, month: String, year: String, time: String) -> Int64? {
        guard let month = months.firstIndex(of: month), (1...2).contains(day.utf8.count) else { return nil }
        let twoDigits = { (number: String) in number.utf8.count < 2 ? "0" + number : number }
        return ServerTime.seconds("\(year)-\(twoDigits(String(month + 1)))-\(twoDigits(day))T\(time)Z")
    }
}
