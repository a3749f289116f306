// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MPinCrypto

struct MisuseTests {
    @Test(arguments: [0, 1 << 31, UInt32.max])
    func timesOutOfRange(number: UInt32) {
        #expect(throws: MPinCryptoError.timeOutOfRange) { try EpochDay(number) }
        #expect(throws: MPinCryptoError.timeOutOfRange) { try Timestamp(number) }
    }

    @Test(arguments: [1, 20_000, (1 << 31) - 1] as [UInt32])
    func timesInRange(number: UInt32) throws {
        #expect(try EpochDay(number).value == number)
        #expect(try Timestamp(number).value == number)
    }

    @Test(arguments: [0, 31, 33])
    func hashedIdentitiesHave32Bytes(length: Int) {
        #expect(throws: MPinCryptoError.wrongLength(of: .hashedIdentity, expected: 32, actual: length)) {
            try HashedIdentity(bytes: [UInt8](repeating: 0, count: length))
        }
    }

    /// A hashed identity must not be hashed again, which would give another identity.
    @Test
    func anIdentityIsHashedOnce() throws {
        let id = MPinID(Array("alice@example.com".utf8))
        let hashed = MPinIdentity(id).hashed
        #expect(hashed.bytes == DocumentDigest.bytes(of: id.bytes))
        #expect(MPinIdentity(MPinID(hashed.bytes)).hashed != hashed)
        let key = try DVSPrivateKey.random().publicKey
        #expect(MPinIdentity(id, publicKey: key).hashed.bytes == DocumentDigest.bytes(of: id.bytes + key.bytes))
    }

    @Test
    func sharesThatCancelOut() throws {
        let share = try ClientSecretShare(bytes: [UInt8](G1.generator.encoded))
        let opposite = try ClientSecretShare(bytes: [UInt8]((-G1.generator).encoded))
        #expect(throws: MPinCryptoError.resultAtInfinity) { try ClientSecret(combining: share, opposite) }
        let serverShare = try ServerSecretShare(bytes: [UInt8](G2.generator.encoded))
        let serverOpposite = try ServerSecretShare(bytes: [UInt8]((-G2.generator).encoded))
        #expect(throws: MPinCryptoError.resultAtInfinity) {
            try ServerSecret(combining: serverShare, serverOpposite)
        }
    }

    /// x + y = 0 modulo r has no response.
    @Test
    func theOneChallengeWithoutResponse() throws {
        let identity = MPinIdentity(MPinID([1]))
        let token = try Token(bytes: [UInt8](G1.generator.encoded))
        let x = Fr(reducing: Limbs(5, 6, 7, 8))
        let attempt = try AuthenticationAttempt(
            identity: identity, token: token, pin: PinFactor("1234"), permit: nil, ephemeral: [UInt8](x.encoded))
        let challenge = try Challenge(bytes: [UInt8]((-x).encoded))
        do throws(MPinCryptoError) {
            _ = try attempt.respond(to: challenge)
            Issue.record("no error")
        } catch {
            #expect(error == .resultAtInfinity)
        }
    }

}
