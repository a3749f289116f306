// SPDX-License-Identifier: Apache-2.0

import Encoding

/// The server's times as seconds since 1970-01-01 UTC.
enum ServerTime {
    /// Reads `YYYY-MM-DDTHH:MM:SS`, with a fraction and a `Z` or without: the classic servers write UTC and no zone
    /// (docs/protocol/milagro.md, section 2).
    static func seconds(_ text: String) -> Int64? {
        var characters = Array(text.utf8)
        if characters.last == UInt8(ascii: "Z") { characters.removeLast() }
        guard characters.count >= 19 else { return nil }
        let fraction = characters[19...]
        guard fraction.isEmpty || (fraction.first == UInt8(ascii: ".") && isNumber(fraction.dropFirst())) else {
            return nil
        }
        let separators: [(Int, Character)] = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
        guard separators.allSatisfy({ characters[$0.0] == $0.1.asciiValue }),
            let year = number(characters[0..<4]), let month = number(characters[5..<7]),
            let day = number(characters[8..<10]), let hour = number(characters[11..<13]),
            let minute = number(characters[14..<16]), let second = number(characters[17..<19]),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        return days(year: year, month: month, day: day) * 86400 + hour * 3600 + minute * 60 + second
    }

    /// Days since 1970-01-01 of a date of the Gregorian calendar. Years begin in March, so that the leap day is the
    /// last.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }

    private static func isNumber(_ digits: ArraySlice<UInt8>) -> Bool {
        (1...9).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard isNumber(digits) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
}

extension JSONObject {
    /// A time in any server's form: a date text, seconds since 1970, or those seconds as a text.
    ///
    /// - Returns: nil when the key is absent.
    func time(_ key: String) throws(JSONError) -> Int64? {
        guard let text = parameter(key) else {
            // Neither text nor number: the key is absent, or its type is not a time.
            _ = try optionalString(key)
            return nil
        }
        guard let seconds = Int64(text) ?? ServerTime.seconds(text) else { throw JSONError("`\(key)` is not a time") }
        return seconds
    }
}
