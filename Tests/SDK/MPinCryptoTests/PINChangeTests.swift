// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MPinCrypto

/// Another PIN for a token, without its client secret.
struct PINChangeTests {
    private let mpinID = MPinID(Array("alice".utf8))

    private func changed(_ token: Token, _ old: String, _ new: String, _ identity: MPinIdentity) throws -> Token {
        try Token(changing: token, from: PinFactor(old), to: PinFactor(new), for: identity)
    }

    /// The result equals the token of a registration with the new PIN.
    @Test(
        arguments: [
            ("1234", "4321"), ("4321", "1234"), ("1234", "123456"), ("999999", "1000"), ("9999", "0001"),
        ] as [(String, String)])
    func isTheTokenOfTheNewPIN(old: String, new: String) throws {
        let registration = try Registration()
        let identity = MPinIdentity(mpinID)
        let token = try registration.token(of: identity, pin: old)
        let changed = try changed(token, old, new, identity)
        #expect(try changed == registration.token(of: identity, pin: new) && changed != token)
        #expect(try self.changed(changed, new, old, identity) == token)
    }

    @Test
    func theServerKnowsTheNewPINOnly() throws {
        let registration = try Registration()
        let (keyed, keyedToken) = try registration.keyedToken(of: mpinID, pin: "1234")
        let plain = MPinIdentity(mpinID)
        for (identity, token) in [(keyed, keyedToken), (plain, try registration.token(of: plain, pin: "1234"))] {
            let changed = try changed(token, "1234", "739154", identity)
            #expect(try registration.authenticate(identity, changed, pin: "739154") == .accepted)
            #expect(try registration.authenticate(identity, changed, pin: "1234") != .accepted)
        }
    }

    /// If the old PIN was wrong neither PIN opens the result: its number is off by the same amount.
    @Test
    func aWrongOldPINMakesATokenForNeither() throws {
        let registration = try Registration()
        let identity = MPinIdentity(mpinID)
        let changed = try changed(try registration.token(of: identity, pin: "1234"), "1111", "4321", identity)
        for pin in ["1234", "1111", "4321"] {
            #expect(try registration.authenticate(identity, changed, pin: pin) != .accepted, "\(pin)")
        }
    }

    /// A leading zero does not change the number.
    @Test
    func theSameNumberLeavesTheToken() throws {
        let registration = try Registration()
        let identity = MPinIdentity(mpinID)
        let token = try registration.token(of: identity, pin: "1234")
        #expect(try changed(token, "1234", "1234", identity) == token)
        #expect(try changed(token, "1234", "01234", identity) == token)
    }

    @Test
    func infinityIsRefused() throws {
        let identity = MPinIdentity(mpinID)
        // The token is 4321 times the point, and the change takes away as much.
        let point = try #require(PinFactor("4321").multiple(of: identity.hashed.point).affine)
        let token = try Token(bytes: [UInt8](point.encoded))
        #expect(throws: MPinCryptoError.resultAtInfinity) { try changed(token, "0000", "4321", identity) }
    }
}
