// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import COpenSSL
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

@Suite struct SigningKeyTests {
    /// Earlier versions made the key with libcrypto: RSAPrivateKey of RFC 8017, or wrapped.
    @Test func aKeyOfLibcryptoIsRead() throws {
        let made = try Self.made(bits: 2048)
        let folder = TemporaryFolder()
        let state = try StateDirectory(path: folder.path)
        try StateDirectory.create(state.file("signing-key"), content: made.der)
        let key = try SigningKeyFiles(state: state).current()
        #expect(key.modulus == made.modulus && key.exponent == [1, 0, 1])
        #expect(try StateDirectory.read(state.file("signing-key")) == made.der)
    }

    @Test func aShortKeyIsRefused() throws {
        let folder = TemporaryFolder()
        let state = try StateDirectory(path: folder.path)
        try StateDirectory.create(state.file("signing-key"), content: try Self.made(bits: 1024).der)
        #expect(throws: BackendError.self) { try SigningKeyFiles(state: state).current() }
    }

    /// The example of RFC 7638, section 3.1.
    @Test func aKeysNameIsItsThumbprint() throws {
        let modulus =
            "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknj"
            + "hMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQ"
            + "vRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzK"
            + "nqDKgw"
        #expect(
            SigningKey.thumbprint(modulus: try #require(Base64.bytes(urlText: modulus)), exponent: [1, 0, 1])
                == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }

    /// Relying parties keep the key set for hours. A replaced key stays in it for a day, and tokens of both keys
    /// count.
    @Test func aReplacedKeyIsShownForADay() async throws {
        let folder = TemporaryFolder()
        let files = SigningKeyFiles(state: try StateDirectory(path: folder.path))
        let clock = ManualWallClock()
        let first = try files.current()
        try files.renew(now: clock.now)
        let issuer = WebTokenIssuer(key: try files.current(), retired: try files.previous(), clock: clock)
        #expect(issuer.key.id != first.id)
        let old = WebTokenIssuer(key: first, clock: clock)
        let certificate = SignatureCertificate(documentHash: [1], certified: clock.now)
        for token in [try await old.token(certificate), try await issuer.token(certificate)] {
            let verifier = await WebTokenVerifier(keySet: issuer.keySet)
            let read: SignatureCertificate? = await verifier.payload(of: token, at: clock.now)
            #expect(read == certificate)
        }
        func shown() -> Int {
            guard case .array(let keys)? = issuer.keySet.members["keys"] else { return 0 }
            return keys.count
        }
        #expect(shown() == 2)
        clock.advance(by: .seconds(86_399))
        #expect(shown() == 2)
        clock.advance(by: .seconds(1))
        #expect(shown() == 1)
    }

    /// After a kill between the two files both contain the present key.
    @Test func aKeyIsShownOnce() throws {
        let folder = TemporaryFolder()
        let state = try StateDirectory(path: folder.path)
        let files = SigningKeyFiles(state: state)
        let (clock, key) = (ManualWallClock(), try files.current())
        let content = try #require(try StateDirectory.read(state.file("signing-key")))
        try StateDirectory.replace(
            state.file("signing-key.previous"), content: Array("\(clock.now.seconds)\n".utf8) + content)
        let issuer = WebTokenIssuer(key: key, retired: try files.previous(), clock: clock)
        #expect(issuer.keySet == WebTokenIssuer(key: key, clock: clock).keySet)
        try files.dropPrevious()
        #expect(try files.previous() == nil)
        try files.dropPrevious()
    }

    @Test(arguments: ["", "x\n", "17", "1795262400\nnot a key"])
    func aDamagedPreviousKeyIsTold(_ text: String) throws {
        let folder = TemporaryFolder()
        let state = try StateDirectory(path: folder.path)
        try StateDirectory.create(state.file("signing-key.previous"), content: Array(text.utf8))
        #expect(throws: BackendError.self) { try SigningKeyFiles(state: state).previous() }
    }

    /// A key made by libcrypto: its private key in DER, and the modulus.
    private static func made(bits: Int32) throws -> (der: [UInt8], modulus: [UInt8]) {
        // The handles are made, used and freed here.
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        let isMade =
            unsafe EVP_PKEY_keygen_init(context) == 1 && EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1
            && EVP_PKEY_generate(context, &key) == 1
        try #require(isMade)
        defer { unsafe EVP_PKEY_free(key) }
        var der = [UInt8](repeating: 0, count: Int(unsafe i2d_PrivateKey(key, nil)))
        _ = unsafe der.withUnsafeMutableBufferPointer { buffer in
            // It writes the length that it reported before, and moves a copy of the pointer.
            var position = buffer.baseAddress
            return unsafe i2d_PrivateKey(key, &position)
        }
        var number: OpaquePointer?
        _ = unsafe EVP_PKEY_get_bn_param(key, "n", &number)
        defer { unsafe BN_free(number) }
        var modulus = [UInt8](repeating: 0, count: Int(bits) / 8)
        // It writes the given number of bytes.
        let count = unsafe BN_bn2binpad(number, &modulus, Int32(modulus.count))
        try #require(Int(count) == modulus.count)
        return (der, modulus)
    }
}
