// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinClient
import Testing

@testable import PersonalCards

/// Every card ends, so that nobody can try a copied card for ever. The end is within the sealed part.
@Suite("The validity of a personal card")
struct CardPeriodTests {
    private static let day = PersonalCardTests.day
    private static let issued = PersonalCardTests.issued

    private static func cards(_ now: Int64, days: Int64 = 365) throws -> FleetCards {
        FleetCards(key: try PersonalCardTests.key(), lifetime: days * day) { now }
    }

    /// - Returns: the reason why a card made at ``issued`` is refused at `now`; nil when it is accepted.
    private static func refusal(of text: SecretBytes, at now: Int64) throws -> PersonalCardError? {
        let cards = try cards(now)
        let read = Result { () throws(PersonalCardError) in
            try text.withBytes { bytes throws(PersonalCardError) in try cards.card(in: bytes) }
        }
        guard case .failure(let error) = read else { return nil }
        return error
    }

    private static func made(
        at now: Int64 = issued, days: Int64 = 365, from old: CardPeriod? = nil
    ) throws -> (text: SecretBytes, period: CardPeriod) {
        let identity = try PersonalCardTests.card().identity
        return try #require(try cards(now, days: days).card(of: identity, from: old))
    }

    @Test("A card counts until its last second, also at a kiosk whose clock is a day behind")
    func counts() throws {
        let card = try Self.made(days: 30)
        #expect(card.period.issued == Self.issued && card.period.ends == Self.issued + 30 * Self.day)
        for now in [-Self.day, 0, 1, 30 * Self.day - 1] {
            #expect(try Self.refusal(of: card.text, at: Self.issued + now) == nil, "\(now)")
        }
        for now in [30 * Self.day, 31 * Self.day, 5000 * Self.day] {
            #expect(try Self.refusal(of: card.text, at: Self.issued + now) == .expired, "\(now)")
        }
    }

    /// The clock must be wrong, and with it an old card would be valid for too long.
    @Test func aClockThatStandsBeforeTheCardIsNotBelieved() throws {
        let card = try Self.made()
        #expect(try Self.refusal(of: card.text, at: Self.issued - Self.day - 1) == .notYet)
        #expect(try Self.refusal(of: card.text, at: 0) == .notYet)
    }

    @Test func aCardFromBeforeCardsHadAnEndIsRefused() throws {
        let old = SecretBytes(copying: Array("LOGIN-KIOSK-CARD:1:000000000".utf8))
        #expect(try Self.refusal(of: old, at: Self.issued) == .expired)
    }

    @Test("A card made from a card ends with it, however often that is repeated")
    func doesNotOutlastTheOneItIsMadeFrom() throws {
        let first = try Self.made(days: 1).period
        var period = first
        for hour in 1...20 {
            period = try Self.made(at: Self.issued + Int64(hour) * 3600, from: period).period
            #expect(period.ends == first.ends && period.issued == Self.issued + Int64(hour) * 3600)
        }
        let late = try Self.cards(first.ends + 1)
        #expect(late.card(of: try PersonalCardTests.card().identity, from: period) == nil)
    }

    @Test(arguments: [(5, 4), (-1, 4), (0, 1 << 32)] as [(Int64, Int64)])
    func noPeriod(_ issued: Int64, _ ends: Int64) { #expect(CardPeriod(from: issued, to: ends) == nil) }
}
