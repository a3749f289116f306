// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MPinCrypto

struct DocumentSignatureTests {
    static let mpinID = MPinID(Array("alice@example.com".utf8))
    static let document = DocumentDigest.bytes(of: Array("a contract".utf8))

    @Test
    func roundTrip() throws {
        let registration = try Registration()
        let (identity, token) = try registration.keyedToken(of: Self.mpinID, pin: "123456")
        let time = try Timestamp(1_700_000_000)
        let signature = try token.sign(
            documentHash: Self.document, identity: identity, pin: PinFactor("123456"), timestamp: time)
        func verdict(
            _ signature: DocumentSignature, _ identity: MPinIdentity, _ document: [UInt8] = Self.document
        ) -> VerificationResult {
            registration.server.verify(signature: signature, documentHash: document, identity: identity)
        }
        #expect(verdict(signature, identity) == .accepted)
        #expect(verdict(signature, identity, DocumentDigest.bytes(of: [])) == .wrongPIN)
        #expect(verdict(signature, MPinIdentity(MPinID([1]), publicKey: identity.publicKey)) == .wrongPIN)
        let otherTime = DocumentSignature(u: signature.u, v: signature.v, timestamp: try Timestamp(1_700_000_001))
        #expect(verdict(otherTime, identity) == .wrongPIN)
        let swapped = DocumentSignature(u: signature.v, v: signature.u, timestamp: time)
        #expect(verdict(swapped, identity) == .wrongPIN)
        let wrongPIN = try token.sign(
            documentHash: Self.document, identity: identity, pin: PinFactor("123457"), timestamp: time)
        #expect(verdict(wrongPIN, identity) == .wrongPIN)
        #expect(
            verdict(signature, identity, Self.document + [0])
                == .malformed(.wrongLength(of: .documentHash, expected: 32, actual: 33)))
        #expect(verdict(signature, MPinIdentity(Self.mpinID)) == .malformed(.identityWithoutPublicKey))
    }

    @Test(arguments: [0, 31, 33, 64])
    func onlyDigestsAreSigned(length: Int) throws {
        let registration = try Registration()
        let (identity, token) = try registration.keyedToken(of: Self.mpinID, pin: "123456")
        #expect(throws: MPinCryptoError.wrongLength(of: .documentHash, expected: 32, actual: length)) {
            try token.sign(
                documentHash: [UInt8](repeating: 7, count: length), identity: identity, pin: PinFactor("123456"),
                timestamp: Timestamp(1_700_000_000))
        }
    }

    @Test
    func signingNeedsAKey() throws {
        let registration = try Registration()
        let identity = MPinIdentity(Self.mpinID)
        let token = try registration.token(of: identity, pin: "123456")
        #expect(throws: MPinCryptoError.identityWithoutPublicKey) {
            try token.sign(
                documentHash: Self.document, identity: identity, pin: PinFactor("123456"),
                timestamp: Timestamp(1_700_000_000))
        }
    }
}
