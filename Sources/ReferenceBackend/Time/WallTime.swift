// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// A moment of universal time in whole milliseconds since 1970-01-01 00:00:00 UTC.
///
/// Expiry dates outlive a restart, so they are wall-clock moments, not monotonic ones.
struct WallTime: Hashable, Comparable, Codable, Sendable {
    var milliseconds: Int64

    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    init(seconds: Int64) { milliseconds = seconds * 1000 }

    var seconds: Int64 { milliseconds.flooredQuotient(by: 1000) }

    static func < (left: WallTime, right: WallTime) -> Bool { left.milliseconds < right.milliseconds }

    static func + (time: WallTime, duration: Duration) -> WallTime {
        WallTime(milliseconds: time.milliseconds + duration.wholeMilliseconds)
    }

    static func - (later: WallTime, earlier: WallTime) -> Duration {
        .milliseconds(later.milliseconds - earlier.milliseconds)
    }

    /// Whole days since 1970-01-01 UTC: the day a time permit is for.
    var day: EpochDay {
        get throws(MPinCryptoError) { try EpochDay(UInt32(clamping: seconds.flooredQuotient(by: 86_400))) }
    }

    /// The days whose permits count at this moment: today, and during the first hour of the UTC day yesterday as well,
    /// for a person whose login began before midnight.
    var daysOfValidPermits: [EpochDay] {
        get throws(MPinCryptoError) {
            let today = try day
            let secondOfDay = seconds - Int64(today.value) * 86_400
            guard secondOfDay < 3600 else { return [today] }
            return [today, try EpochDay(today.value - 1)]
        }
    }
}

extension Duration {
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}

extension Int64 {
    /// Division that rounds towards minus infinity, so that moments before 1970 fall on the right day.
    func flooredQuotient(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
