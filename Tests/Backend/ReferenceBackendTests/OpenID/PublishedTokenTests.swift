// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import OpenIDProvider
import Patience
import Sealing
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// Tokens of the platform's developers, published with the tests of their SDKs for relying parties, and the results
/// there: miracl/maas-sdk-dotnet-core2, MiraclClientTests.cs and discovery_jwks.json, and miracl/maas-sdk-go,
/// dvs_test.go.
@Suite struct PublishedTokenTests {
    private static let issuer = "https://api.dev.miracl.net"
    private static let providerKeys = keySet(
        "31-07-2016",
        "kwBfKdZTTt8dD-o1VPXKCH4hi28-KUMsPy7OYBrk4lgCd1EHZCVvZdKkcjPW0kGjC3vuee7C5v516Siids684n_V8mznvLwNFGKJ3fdiubkxKc5c"
            + "pgPrxH86uHr0sU-ACoWhkW3KjFKBb-WNYSqcNxKaXI-dcKJtAaZNqnbwjf0_fkWAEsrPYyMPeYt6AjX2vDhqu4a4zrclKiy2ngEkZ91GwrvA"
            + "TX5UrooefIuNc2PRC-Y7mccvcm9cK0V6xLeWovivWX-GTHwMuPymIJGyDqo-6NRkqv6sl-QIFEzohQd3jSLUyt71u8lqgOlfW2JN7T_HOOkg"
            + "_ibq6u-k94HJQw")
    /// Keys of 1024 bits.
    private static let signingKeys = keySet(
        "s1",
        "kWp2zRA23Z3vTL4uoe8kTFptxBVFunIoP4t_8TDYJrOb7D1iZNDXVeEsYKp6ppmrTZDAgd-cNOTKLd4M39WJc5FN0maTAVKJc7NxklDeKc4dMe1B"
            + "GvTZNG4MpWBo-taKULlYUu0ltYJuLzOjIrTHfarucrGoRWqM0sl3z2-fv9k")

    private static let identity =
        "eyJhbGciOiJSUzI1NiIsImtpZCI6IjMxLTA3LTIwMTYifQ"
        + ".eyJhbXIiOlsidG9rZW4iXSwiYXVkIjoiZ251ZWkwN2JjeWVlOCIsImV4cCI6MTQ5MzAxNjc3NSwiaWF0IjoxNDkzMDE1ODc1LCJpc3MiOiJod"
        + "HRwczovL2FwaS5kZXYubWlyYWNsLm5ldCIsIm5vbmNlIjoiODBmY2Q1M2QzNTc2NjIxZGE2MjNlMWZkYmU2YzdjNTE0MTZhOTc1YTNlNTM4OTh"
        + "jY2IwYmRlZWIwODRiZTQyZiIsInN1YiI6InBldHlhLmtvbGV2YUBtaXJhY2wuY29tIn0"
    private static let identitySignature =
        "CTQu9bx7vCV6pZvtDhEJTFjeasMJoZtbq93vFj2nwVODaGj5Ajp9ZYZvhD7eeYtOBzBH0rOAjNc_348bZXjiqi3IdpEMCTiQz0dPqxTlywUjwM0H"
        + "CMQ0C0TIwUh4f8Os0rthF1a1yYy_WgL7FgFsmb12xwTwt_TXrKHqbHXV-eX8ip0GCQgao9B1VC3Jj4NEfEXuUSq2nexEx-p_H9LgqbNBro3i_kPo"
        + "P7C3wfiSFS30qDDUKZLp3SeW90-ErcNQKmU7rukvujeCpeziYlycLyeRTPVmAOTMEyO4ABQyk4KTl_w9P2O8AXW6a2B7nfjGAQGVT_m9Z_56yzgJ"
        + "oJ9KRg"
    private static let expiry: Int64 = 1_493_016_775

    private static let certificateClaims =
        "eyJjQXQiOjE0OTc0NDQ0NTEsImV4cCI6MTQ5NzQ0NDQ2MSwiaGFzaCI6IjE1NzYwNDczOTc5ZDIwMjdiZWJjYTIyZDRlMGFlNDBmNDlkMDc1NmRk"
        + "YTUwN2RlNzFkZjk5YmYwNGQyYTdkMDcifQ"
    private static let certificate =
        "eyJhbGciOiJSUzI1NiIsImtpZCI6InMxIn0." + certificateClaims
        + ".A19LAJpEZjFhwor0bj02AGh9Nu_VGtyNXeJhqSe1uWc16kJA3Mi7Oe5ocFRUbb5xRuQ8TkzL9kjjiE3CgHLFftCDswHQqLX6nIH6oamVd0lt3"
        + "fbgAu3pJBtK9U2BKSxwT7q-pQNFuPJTs-3P8XAwegJAbUouHUKuKL1zJTnDmQk"
    private static let hash = "15760473979d2027bebca22d4e0ae40f49d0756dda507de71df99bf04d2a7d07"
    private static let certified: Int64 = 1_497_444_451

    private static func keySet(_ id: String, _ modulus: String) -> JSONObject {
        JSONObject([
            "keys": .array([
                .object(["kty": "RSA", "use": "sig", "kid": .string(id), "n": .string(modulus), "e": "AQAB"])
            ])
        ])
    }

    @Test func anIDTokenIsAccepted() async throws {
        let verifier = await WebTokenVerifier(keySet: Self.providerKeys)
        let token = Self.identity + "." + Self.identitySignature
        func read(_ token: String, _ seconds: Int64) async -> IdentityToken? {
            await verifier.payload(of: token, at: WallTime(seconds: seconds))
        }
        let identity = try #require(await read(token, Self.expiry - 1))
        #expect(identity.nonce == "80fcd53d3576621da623e1fdbe6c7c51416a975a3e53898ccb0bdeeb084be42f")
        #expect(identity.isFor("gnuei07bcyee8", from: Self.issuer))
        #expect(
            !identity.isFor("MockClient", from: Self.issuer) && !identity.isFor("gnuei07bcyee8", from: "MockServer"))
        // It does not name the access token that came with it.
        #expect(!identity.belongs(toAccessToken: "MockToken"))
        #expect(await read(token, Self.expiry) == nil)
        #expect(await read(Self.identity + ".invalidSignature", Self.expiry - 1) == nil)
        #expect(try SignedToken(token).claims(checkedWith: Self.providerKeys).integer("exp") == Self.expiry)
    }

    /// Its signature is right, but 1024 bits are too few today.
    @Test func aCertificateOfAShortKeyIsRefused() async throws {
        let claims = try SignedToken(Self.certificate).claims(checkedWith: Self.signingKeys)
        #expect(claims.string("hash") == Self.hash && claims.integer("cAt") == Self.certified)
        let verifier = await WebTokenVerifier(keySet: Self.signingKeys)
        let read: SignatureCertificate? = await verifier.payload(
            of: Self.certificate, at: WallTime(seconds: Self.certified))
        #expect(read == nil)
    }

    /// The same claims signed with a key of 2048 bits, and the SDKs' verdicts.
    @Test(
        arguments: [
            (certificateClaims, hash, 0, true), (certificateClaims, hash, certified, true),
            (certificateClaims, hash, certified + 1, false), (certificateClaims, hash, Int64(Int32.max), false),
            (certificateClaims, "different-hash-value", 0, false), ("invalid_payload", hash, 0, false),
            // Without a hash; without a time.
            ("eyJjQXQiOjE0OTc0NDQ0NTEsImV4cCI6MTQ5NzQ0NDQ2MX0", hash, 0, false),
            (
                "eyJleHAiOjE0OTc0NDQ0NjEsImhhc2giOiIxNTc2MDQ3Mzk3OWQyMDI3YmViY2EyMmQ0ZTBhZTQwZjQ5ZDA3NTZkZGE1MDdkZTcxZGY5OWJmMDRkMm"
                    + "E3ZDA3In0",
                hash, 0, false
            ),
        ] as [(String, String, Int64, Bool)])
    func aCertificateCovers(_ claims: String, _ hash: String, _ timestamp: Int64, _ isValid: Bool) async throws {
        let ring = try SharedSigningKey.ring()
        let issuer = WebTokenIssuer(keys: { ring }, clock: ManualWallClock())
        let token = try await SignedToken.text(encodedClaims: claims, by: issuer)
        let verifier = await WebTokenVerifier(keySet: issuer.keySet)
        let read: SignatureCertificate? = await verifier.payload(of: token, at: WallTime(seconds: Self.certified))
        #expect((read?.covers(hash, signedAt: timestamp) ?? false) == isValid)
        let late: SignatureCertificate? = await verifier.payload(of: token, at: WallTime(seconds: Self.certified + 10))
        #expect(late == nil)
    }

    @Test(arguments: ["ey.fQ", "eyfQnD", "ey.fQ.nD", ""])
    func whatIsNoTokenIsRefused(_ text: String) async {
        let verifier = await WebTokenVerifier(keySet: Self.providerKeys)
        #expect(await verifier.payload(of: text, as: SignatureCertificate.self, at: WallTime(seconds: 0)) == nil)
    }

    /// The hash of a document, and a relying party's token for it.
    @Test func aDocumentIsNamed() throws {
        let folder = TemporaryFolder()
        let state = try StateDirectory(path: folder.path)
        let known = JSONObject(["client_id": "MockClientId", "client_secret": "MockClientSecret"])
        try StateDirectory.create(state.file("relying-party"), content: known.body)
        let hash = Hexadecimal.text(Digest.sha256(Array("sample document".utf8)))
        #expect(hash == "1789c9eeee7dcbf9a5e9b47374e244f85263dc45922a249d37f7ba9fd4efb850")
        #expect(
            try RelyingPartyCredentials(state: state).token(for: hash)
                == "TW9ja0NsaWVudElkOmU1M2U4ZTY2NGM0NWJlMzQyZWZjZmExNDZlNTM4ODc3ZGYyYWQ2NDViNGExYTA1OWIxNmY5NTBkMzhhZGUzYzU="
        )
    }
}
