// SPDX-License-Identifier: Apache-2.0

/// A date: whole days since 1970-01-01 UTC, in 1 ..< 2^31.
public struct EpochDay: Hashable, Comparable, Sendable {
    public let value: UInt32

    /// Throws `timeOutOfRange` for 0 and from 2^31 on.
    public init(_ day: UInt32) throws(MPinCryptoError) {
        guard day != 0, day < 1 << 31 else { throw .timeOutOfRange }
        value = day
    }

    public static func < (a: EpochDay, b: EpochDay) -> Bool { a.value < b.value }
}
