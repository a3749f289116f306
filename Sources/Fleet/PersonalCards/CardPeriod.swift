// SPDX-License-Identifier: Apache-2.0

/// The times between which a personal card is valid, in seconds since 1970-01-01 UTC.
public struct CardPeriod: Sendable, Hashable {
    /// In days, of a card that a kiosk makes.
    public static let usualLifetime = 365
    /// Lifetimes that an operator may choose, in days.
    public static let lifetimes = 1...3650
    /// Lifetimes that an operator may choose for a temporary card, in hours.
    public static let temporaryLifetimes = 1...720
    /// The difference of two kiosks' clocks that is tolerated, in seconds.
    static let tolerance: Int64 = 86_400

    public let issued: Int64
    public let ends: Int64

    /// Each time has four bytes, enough until 2106.
    static let length = 8

    /// - Returns: nil for times that are not in this order, or not within four bytes.
    public init?(from issued: Int64, to ends: Int64) {
        guard issued <= ends, UInt32(exactly: issued) != nil, UInt32(exactly: ends) != nil else { return nil }
        (self.issued, self.ends) = (issued, ends)
    }

    /// - Throws: ``PersonalCardError/expired``, and ``PersonalCardError/notYet`` for a future card: one of the two
    ///   clocks is wrong, and nobody can tell which.
    func require(at now: Int64) throws(PersonalCardError) {
        guard now < ends else { throw .expired }
        guard issued <= now + CardPeriod.tolerance else { throw .notYet }
    }

    /// Both times, big endian.
    var bytes: [UInt8] {
        [issued, ends].flatMap { time in
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: time >> Int64($0)) }
        }
    }

    init?(_ bytes: Span<UInt8>) {
        guard bytes.count >= CardPeriod.length else { return nil }
        var times: (issued: Int64, ends: Int64) = (0, 0)
        for index in 0..<4 {
            times.issued = times.issued << 8 | Int64(bytes[index])
            times.ends = times.ends << 8 | Int64(bytes[index + 4])
        }
        self.init(from: times.issued, to: times.ends)
    }
}
