// SPDX-License-Identifier: Apache-2.0

import Encoding

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

    /// Both times, each in four bytes, enough until 2106.
    var bytes: [SecretBytes] { [issued, ends].map { SecretBytes($0, count: 4) } }

    init?(from reader: inout SecretReader) {
        guard let issued = reader.number(4), let ends = reader.number(4) else { return nil }
        self.init(from: Int64(issued), to: Int64(ends))
    }
}
