// SPDX-License-Identifier: Apache-2.0

/// A moment of universal time in whole milliseconds since 1970-01-01 00:00:00 UTC.
///
/// Expiry dates outlive a restart, so they are wall-clock moments, not monotonic ones.
package struct WallTime: Hashable, Comparable, Codable, Sendable {
    package var milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package init(seconds: Int64) { milliseconds = seconds * 1000 }

    package var seconds: Int64 { milliseconds.flooredQuotient(by: 1000) }

    /// The first whole second that is not before it.
    package var roundedUp: WallTime { WallTime(seconds: (milliseconds + 999).flooredQuotient(by: 1000)) }

    package static func < (left: WallTime, right: WallTime) -> Bool { left.milliseconds < right.milliseconds }

    package static func + (time: WallTime, duration: Duration) -> WallTime {
        WallTime(milliseconds: time.milliseconds + duration.wholeMilliseconds)
    }

    package static func - (time: WallTime, duration: Duration) -> WallTime {
        WallTime(milliseconds: time.milliseconds - duration.wholeMilliseconds)
    }

    package static func - (later: WallTime, earlier: WallTime) -> Duration {
        .milliseconds(later.milliseconds - earlier.milliseconds)
    }
}

extension Duration {
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}

extension Int64 {
    /// Division that rounds towards minus infinity, so that moments before 1970 fall on the right day.
    package func flooredQuotient(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
