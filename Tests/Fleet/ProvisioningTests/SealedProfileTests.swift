// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import Sealing
import Patience
import Testing

@testable import Provisioning

/// A profile that an operator signs and a kiosk reads, and damage on the way.
@Suite("Profiles")
struct SealedProfileTests {
    static let made: UInt64 = 1_790_000_000

    static func operatorKey(_ byte: UInt8 = 7) throws -> OperatorKey {
        try OperatorKey(SecretBytes(copying: [UInt8](repeating: byte, count: 32)))
    }

    static func kioskKey(_ byte: UInt8 = 3) throws -> KioskKey {
        try KioskKey(SecretBytes(copying: [UInt8](repeating: byte, count: 32)))
    }

    static func profile(fleetKey: Bool = true) -> KioskProfile {
        KioskProfile(
            madeAt: made, validUntil: made + 86_400, operatorName: "Stadtwerke Süd",
            settings: "screen:\n  language: de\n", trust: "login.example.com\n",
            fleetKey: fleetKey ? SecretBytes(copying: [UInt8](repeating: 9, count: 32)) : nil)
    }

    static func read(_ text: [UInt8]) -> Result<SealedProfile, ProfileError> {
        Result { () throws(ProfileError) in try SealedProfile(symbol: text.span) }
    }

    static func open(
        _ text: [UInt8], with key: KioskKey?, trusting: OperatorPublicKey? = nil, after: UInt64? = nil,
        now: UInt64 = made + 60, latest: UInt64? = nil
    ) -> Result<KioskProfile, ProfileError> {
        Result { () throws(ProfileError) in
            try SealedProfile(symbol: text.span).open(
                with: key, trusting: trusting, after: after, now: now, latest: latest)
        }
    }

    @Test func opensAsItWasSigned() throws {
        let (owner, kiosk) = (try Self.operatorKey(), try Self.kioskKey())
        let text = try SealedProfile.text(of: Self.profile(), by: owner, for: kiosk.publicKey)
        #expect(text.count <= SealedProfile.maximumCodeLength)
        #expect(try Self.open(text, with: kiosk, trusting: owner.publicKey).get() == Self.profile())
        let read = try Self.read(text).get()
        #expect(read.operatorKey == owner.publicKey && read.isSealed && read.isFor(kiosk.publicKey))
        // A profile without a secret may be for all kiosks, and may have no parts.
        let open = KioskProfile(madeAt: 0, validUntil: Self.made, operatorName: "")
        let forAll = try SealedProfile.text(of: open, by: owner, for: nil)
        #expect(try Self.open(forAll, with: kiosk, now: 0).get() == open)
        #expect(try Self.open(forAll, with: nil, now: 0).get() == open)
    }

    @Test func saysNothingToOtherReaders() throws {
        let text = try SealedProfile.text(of: Self.profile(), by: Self.operatorKey(), for: Self.kioskKey().publicKey)
        let other = try SealedProfile.text(of: Self.profile(), by: Self.operatorKey(), for: Self.kioskKey().publicKey)
        #expect(text != other)
        #expect(Self.open(text, with: try Self.kioskKey(4)) == .failure(.otherKiosk))
        #expect(Self.open(text, with: nil) == .failure(.otherKiosk))
        #expect(!"\(try Self.open(text, with: Self.kioskKey()).get())".contains("9, 9"))
    }

    @Test func countsForWhomWhenAndOnce() throws {
        let (owner, kiosk) = (try Self.operatorKey(), try Self.kioskKey())
        let text = try SealedProfile.text(of: Self.profile(), by: owner, for: kiosk.publicKey)
        func refusal(
            trusting: OperatorPublicKey? = nil, after: UInt64? = nil, now: UInt64 = Self.made, latest: UInt64? = nil
        ) -> ProfileError? {
            switch Self.open(text, with: kiosk, trusting: trusting, after: after, now: now, latest: latest) {
            case .success: nil
            case .failure(let error): error
            }
        }
        #expect(refusal(trusting: try Self.operatorKey(8).publicKey) == .otherOperator)
        #expect(refusal(now: Self.made + 86_400) == nil)
        #expect(refusal(now: Self.made + 86_401) == .expired)
        #expect(refusal(after: Self.made - 1) == nil)
        #expect(refusal(after: Self.made) == .notNewer)
        #expect(refusal(after: Self.made + 1) == .notNewer)
        // A clock that is set refuses a profile that is dated ahead.
        #expect(refusal(now: 0, latest: Self.made - 1) == .tooNew)
        #expect(refusal(now: 0, latest: Self.made) == nil)
        #expect(refusal(now: 0) == nil)
    }

    @Test func refusesToSealTooMuch() throws {
        let (owner, kiosk) = (try Self.operatorKey(), try Self.kioskKey().publicKey)
        var profile = Self.profile()
        #expect(throws: ProfileError.secretForAll) { try SealedProfile.text(of: profile, by: owner, for: nil) }
        profile.operatorName = String(repeating: "x", count: KioskProfile.maximumNameLength + 1)
        #expect(throws: ProfileError.tooLong) { try SealedProfile.text(of: profile, by: owner, for: kiosk) }
        profile = Self.profile()
        profile.settings = String(repeating: "#", count: 16 * 1024 + 1)
        #expect(throws: ProfileError.tooLong) { try SealedProfile.text(of: profile, by: owner, for: kiosk) }
        profile.settings = String(repeating: "#", count: 16 * 1024)
        #expect(try SealedProfile.text(of: profile, by: owner, for: kiosk).count <= SealedProfile.maximumLength)
    }

    @Test func everyFlippedBitIsNoticed() throws {
        let (kiosk, opening) = (try Self.kioskKey(), Array("LOGIN-KIOSK-PROFILE:1:".utf8))
        for recipient in [kiosk.publicKey, nil] {
            let text = try SealedProfile.text(
                of: Self.profile(fleetKey: recipient != nil), by: Self.operatorKey(), for: recipient)
            let decoded = Base45.decoded(Array(text.dropFirst(opening.count)).span)
            let body = try #require(decoded)
            #expect(opening + Base45.encoded(body) == text)
            for index in body.indices {
                for bit in 0..<8 {
                    var changed = body
                    changed[index] ^= 1 << UInt8(bit)
                    let opened = Self.open(opening + Base45.encoded(changed), with: kiosk)
                    #expect(opened == .failure(.damaged), "byte \(index), bit \(bit)")
                }
            }
        }
    }

    @Test("Another character or a cut anywhere is damage, and never gives another profile")
    func damage() throws {
        let kiosk = try Self.kioskKey()
        for recipient in [kiosk.publicKey, nil] {
            let text = try SealedProfile.text(
                of: Self.profile(fleetKey: recipient != nil), by: Self.operatorKey(), for: recipient)
            for index in text.indices {
                #expect(Self.open(Array(text.prefix(index)), with: kiosk) == .failure(.damaged), "\(index)")
                var other = text
                other[index] = text[index] == UInt8(ascii: "0") ? UInt8(ascii: "A") : UInt8(ascii: "0")
                guard case .failure(let error) = Self.open(other, with: kiosk) else {
                    Issue.record("\(index)")
                    continue
                }
                #expect(error == .damaged || error == .newerVersion, "\(index)")
            }
        }
    }

    @Test("A stranger who replaces the signature with his own cannot open the content")
    func isBoundToItsSigner() throws {
        let kiosk = try Self.kioskKey()
        let text = try SealedProfile.text(of: Self.profile(), by: Self.operatorKey(), for: kiosk.publicKey)
        let stranger = try Self.operatorKey(66)
        let forged = try #require(ProfileForgery.signedAnew(text, by: stranger))
        #expect(try Self.read(forged).get().operatorKey == stranger.publicKey)
        #expect(Self.open(forged, with: kiosk) == .failure(.damaged))
    }

    @Test func refusesALaterVersion() {
        #expect(Self.open(Array("LOGIN-KIOSK-PROFILE:2:ABC".utf8), with: nil) == .failure(.newerVersion))
        let (profile, card) = (Array("LOGIN-KIOSK-PROFILE:".utf8), Array("LOGIN-KIOSK-CARD:1:".utf8))
        let isProfile = [SealedProfile.isProfile(profile.span), SealedProfile.isProfile(card.span)]
        #expect(isProfile == [true, false])
    }

    @Test("Random bodies, even with a valid signature, crash nothing")
    func fuzz() throws {
        var random = SplitMix64(seed: 20_261_123)
        let (owner, kiosk) = (try Self.operatorKey(), try Self.kioskKey())
        for round in 0..<3_000 {
            let count = Int.random(in: 0..<220, using: &random)
            var body = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            // Sometimes with valid lengths.
            if count > 20, Bool.random(using: &random) { body.replaceSubrange(17..<19, with: [0, 1]) }
            if count > 0, Bool.random(using: &random) { body[0] = UInt8.random(in: 0...2, using: &random) }
            let text = try #require(ProfileForgery.text(rest: body, by: owner))
            if case .success(let profile) = Self.open(text, with: kiosk, now: 0) {
                #expect(profile.encoded() != nil, "round \(round)")
            }
        }
    }
}

/// A text with a valid signature over any content, which only tests make.
enum ProfileForgery {
    static func text(rest: [UInt8], by key: OperatorKey) -> [UInt8]? {
        let opening = Array("LOGIN-KIOSK-PROFILE:1:".utf8)
        let signer = key.publicKey.bytes
        guard let signature = CurveKey.signature(of: opening + signer + rest, by: key.key) else { return nil }
        return opening + Base45.encoded(signer + signature + rest)
    }

    static func signedAnew(_ text: [UInt8], by key: OperatorKey) -> [UInt8]? {
        guard let body = Base45.decoded(text.span.extracting("LOGIN-KIOSK-PROFILE:1:".utf8.count...)) else {
            return nil
        }
        return self.text(rest: Array(body.dropFirst(96)), by: key)
    }
}
