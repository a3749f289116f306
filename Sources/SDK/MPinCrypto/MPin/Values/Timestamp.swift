// SPDX-License-Identifier: Apache-2.0

/// An instant: whole seconds since 1970-01-01 00:00 UTC, in 1 ..< 2^31.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01 00:00 UTC.
    public let value: UInt32

    /// Throws `timeOutOfRange` for 0 and from 2^31 on.
    public init(_ seconds: UInt32) throws(MPinCryptoError) {
        guard seconds != 0, seconds < 1 << 31 else { throw .timeOutOfRange }
        value = seconds
    }

    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.value < b.value }
}

/// A date: whole days since 1970-01-01 UTC, in 1 ..< 2^31.
public struct EpochDay: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    public let value: UInt32

    /// Throws `timeOutOfRange` for 0 and from 2^31 on.
    public init(_ day: UInt32) throws(MPinCryptoError) {
        guard day != 0, day < 1 << 31 else { throw .timeOutOfRange }
        value = day
    }

    public static func < (a: EpochDay, b: EpochDay) -> Bool { a.value < b.value }
}
