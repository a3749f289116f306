// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinClient
import QRWriting
import Sealing
import Patience
import Testing

@testable import PersonalCards

/// An identity as the text of a QR code: who can read it, and which damage is found.
@Suite("Personal cards")
struct PersonalCardTests {
    static func key(_ byte: UInt8 = 1) throws -> FleetKey {
        try #require(FleetKey(SecretBytes(copying: [UInt8](repeating: byte, count: FleetKey.length))))
    }

    /// 2026-11-26, 00:00 UTC.
    static let issued: Int64 = 1_795_651_200
    static let day: Int64 = 86_400

    static func period(_ issued: Int64 = issued, days: Int64 = 365) throws -> CardPeriod {
        try #require(CardPeriod(from: issued, to: issued + days * day))
    }

    static func card(_ userID: String = "alice@example.com", record count: Int = 260) throws -> PersonalCard {
        PersonalCard(
            StoredIdentity(
                key: IdentityKey(userID: userID, backend: "login.example.com"),
                record: SecretBytes(copying: (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }), number: 12),
            try period())
    }

    static func bytes(_ text: SecretBytes) -> [UInt8] { text.withBytes { text in text.indices.map { text[$0] } } }

    static func text(_ card: PersonalCard, _ key: FleetKey) throws -> [UInt8] {
        bytes(try #require(card.text(sealedWith: key)))
    }

    static func isCard(_ text: [UInt8]) -> Bool { PersonalCard.isCard(text.span) }
    private static func code(_ text: [UInt8]) -> QRMatrix? { QRMatrix(alphanumeric: text.span) }
    private static func decoded(_ text: some Sequence<UInt8>) -> [UInt8]? { Base45.decoded(Array(text).span) }

    static func read(_ text: [UInt8], _ key: FleetKey) -> Result<PersonalCard, PersonalCardError> {
        Result { () throws(PersonalCardError) in try PersonalCard(symbol: text.span, openedWith: key) }
    }

    @Test(arguments: ["alice@example.com", "ü@例え.jp", ""])
    func isReadAsItWasWritten(_ userID: String) throws {
        let (key, card) = (try Self.key(), try Self.card(userID))
        let read = try Self.read(try Self.text(card, key), key).get()
        #expect(read == card)
        // The number belongs to the store of the issuing kiosk.
        #expect(read.identity.number == nil)
        #expect(read.period == card.period)
        #expect(read.identity.key == IdentityKey(userID: userID, backend: "login.example.com"))
    }

    @Test func saysNothingToWhoHasNotTheKey() throws {
        let (key, card) = (try Self.key(), try Self.card())
        let text = try Self.text(card, key)
        let sealed = try #require(Self.decoded(text.dropFirst("LOGIN-KIOSK-CARD:2:".utf8.count)))
        for word in ["alice", "example", "login.example"] {
            #expect(!String(decoding: text, as: UTF8.self).lowercased().contains(word))
            #expect(!String(decoding: sealed, as: UTF8.self).contains(word))
        }
        let printed = try #require(card.text(sealedWith: key))
        #expect("\(card)".contains("redacted") && !"\(printed)".contains("LOGIN"))
        // Nobody can see that two cards belong to one person.
        let other = try Self.text(card, key)
        let fleet = "LOGIN-KIOSK-CARD:2:".utf8.count + 6
        #expect(other.prefix(fleet) == text.prefix(fleet))
        #expect(zip(other, text).dropFirst(fleet).count { $0 == $1 } < text.count / 5)
    }

    @Test func isOneFleets() throws {
        let text = try Self.text(try Self.card(), try Self.key())
        #expect(Self.read(text, try Self.key(2)) == .failure(.otherFleet))
        #expect(FleetKey(SecretBytes(copying: [1, 2, 3])) == nil)
    }

    @Test("A card cut anywhere is damaged, and never another person's")
    func cutOff() throws {
        let key = try Self.key()
        let text = try Self.text(try Self.card(), key)
        let scheme = PersonalCard.code.scheme.utf8.count
        for count in 0..<text.count {
            let part = Array(text.prefix(count))
            #expect(Self.isCard(part) == (count >= scheme), "\(count)")
            #expect(Self.read(part, key) == .failure(.damaged), "\(count)")
        }
        #expect(Self.read(text + Array("0".utf8), key) == .failure(.damaged))
        #expect(Self.read(text + Array("000".utf8), key) == .failure(.damaged))
    }

    @Test func everyFlippedBitIsNoticed() throws {
        let key = try Self.key()
        let sound = try Self.text(try Self.card(record: 40), key)
        let body = try PersonalCard.code.body(of: sound.span)
        for index in body.indices {
            let expected: PersonalCardError = index < FleetKey.nameLength ? .otherFleet : .damaged
            for bit in 0..<8 {
                var changed = body
                changed[index] ^= 1 << UInt8(bit)
                let text = try #require(PersonalCard.code.text(of: changed))
                #expect(Self.read(text, key) == .failure(expected), "byte \(index), bit \(bit)")
            }
        }
    }

    @Test func anyOtherCharacterIsNoticed() throws {
        let key = try Self.key()
        let text = try Self.text(try Self.card(record: 40), key)
        let body = "LOGIN-KIOSK-CARD:2:".utf8.count
        for index in body..<text.count {
            for character in "0AZ:%".utf8 where character != text[index] {
                var changed = text
                changed[index] = character
                // The first six characters identify the fleet key.
                let expected: Set<PersonalCardError> = index < body + 6 ? [.otherFleet, .damaged] : [.damaged]
                guard case .failure(let error) = Self.read(changed, key) else {
                    Issue.record("character \(index) counts for nothing")
                    continue
                }
                #expect(expected.contains(error), "\(index)")
            }
        }
    }

    @Test(arguments: [
        ("LOGIN-KIOSK-CARD:3:WHATEVER", PersonalCardError.newerVersion), ("LOGIN-KIOSK-CARD:9999:", .newerVersion),
        ("LOGIN-KIOSK-CARD:3:\u{FC}", .newerVersion), ("LOGIN-KIOSK-CARD:10000:", .damaged),
        ("LOGIN-KIOSK-CARD:01:", .damaged), ("LOGIN-KIOSK-CARD:0:", .damaged), ("LOGIN-KIOSK-CARD::", .damaged),
        ("LOGIN-KIOSK-CARD:2", .damaged), ("LOGIN-KIOSK-CARD:1:", .expired),
        ("LOGIN-KIOSK-CARD:1:WHATEVER", .expired), ("LOGIN-KIOSK-CARD:2:", .damaged), ("LOGIN-KIOSK-CARD:X:", .damaged),
        ("LOGIN-KIOSK-CARD:", .damaged), ("LOGIN-KIOSK-CARD:2:abc", .damaged),
        ("LOGIN-KIOSK-CARD:2:000000", .otherFleet),
    ])
    func versions(_ text: String, _ error: PersonalCardError) throws {
        #expect(Self.isCard(Array(text.utf8)))
        #expect(Self.read(Array(text.utf8), try Self.key()) == .failure(error))
    }

    @Test(arguments: ["", "login-kiosk-card:1:", "login-kiosk:identities", "https://a.example#c0de", "LOGIN-KIOSK"])
    func nothingElseIsACard(_ text: String) throws {
        #expect(!Self.isCard(Array(text.utf8)))
        #expect(Self.read(Array(text.utf8), try Self.key()) == .failure(.damaged))
    }

    /// Modules per side for a record of each protocol generation, as documented.
    @Test(arguments: [(279, 555, 77), (335, 639, 81), (526, 925, 97), (614, 1057, 105), (1058, 1723, 117)])
    func fitsACodeThatACameraReads(_ record: Int, _ characters: Int, _ modules: Int) throws {
        let text = try Self.text(try Self.card(record: record), try Self.key())
        #expect(text.count == characters)
        #expect(try #require(Self.code(text)).width == modules)
    }

    @Test func thereIsALargestCard() throws {
        let key = try Self.key()
        let fitting = try (0..<2000).last { try Self.card(record: $0).text(sealedWith: key) != nil }
        let largest = try #require(fitting)
        #expect(largest >= 1100)
        let text = try Self.text(try Self.card(record: largest), key)
        let code = try #require(Self.code(text))
        #expect(code.width == 4 * 25 + 17)
        #expect(try Self.read(text, key).get() == Self.card(record: largest))
        #expect(try Self.card(String(repeating: "x", count: 70_000)).text(sealedWith: key) == nil)
    }

    /// RFC 9285, section 4.
    @Test(arguments: [("AB", "BB8"), ("Hello!!", "%69 VD92EX0"), ("base-45", "UJCLQE7W581"), ("ietf!", "QED8WEX0")])
    func base45(_ plain: String, _ text: String) {
        #expect(Base45.encoded(Array(plain.utf8)) == Array(text.utf8))
        #expect(Self.decoded(text.utf8) == Array(plain.utf8))
    }

    @Test(arguments: ["GGW", "A", "AAAA", "::", ":::", "a", "AB\u{FC}"])
    func noBase45(_ text: String) { #expect(Self.decoded(text.utf8) == nil) }

    /// Random records: opening gives what was sealed.
    @Test func random() throws {
        let seed: UInt64 = 0xCA4D_0070
        var generator = SplitMix64(seed: seed)
        let key = try Self.key()
        let genuine = try Self.text(try Self.card(record: 30), key)
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)
        var errors: [PersonalCardError: Int] = [:]
        for round in 0..<30_000 {
            var text = genuine
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: text = Array("LOGIN-KIOSK-CARD:2:".utf8)
            case 1: text = Array("LOGIN-KIOSK-CARD:".utf8)
            case 2: text.removeLast(Int.random(in: 0..<text.count, using: &generator))
            default: break
            }
            for _ in 0..<Int.random(in: 1...40, using: &generator) {
                let byte =
                    Int.random(in: 0..<16, using: &generator) == 0
                    ? UInt8.random(in: 0...255, using: &generator)
                    : alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
                if Bool.random(using: &generator), !text.isEmpty {
                    text[Int.random(in: 0..<text.count, using: &generator)] = byte
                } else {
                    text.append(byte)
                }
            }
            let body = Self.decoded(text)
            #expect(body == nil || Base45.encoded(body ?? []) == text, "seed \(seed), round \(round)")
            guard text != genuine, case .failure(let error) = Self.read(text, key) else {
                #expect(text == genuine, "seed \(seed), round \(round)")
                continue
            }
            errors[error, default: 0] += 1
        }
        #expect(Set(errors.keys) == Set(PersonalCardError.allCases).subtracting([.notYet]), "seed \(seed)")
    }
}
