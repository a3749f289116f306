// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import Patience
import Sealing
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

@Suite struct WebTokenVerifierTests {
    private let state = TemporaryFolder()
    private let now = WallTime(seconds: 1_795_262_400)

    /// - Parameter isOther: whether its key is another one.
    private func issuer(isOther: Bool = false) throws -> WebTokenIssuer {
        let files = SigningKeyFiles(state: try StateDirectory(path: state.path))
        let ring = isOther ? try files.ringOrFirst() : try SharedSigningKey.ring()
        return WebTokenIssuer(keys: { ring }, clock: ManualWallClock())
    }

    private func payload(_ userID: String = "alice@example.com") throws -> PlatformToken {
        PlatformToken(
            issuer: "https://login.example.com/trust-2025", userID: userID, projectID: "p1",
            number: try #require(OneTimeToken(String(repeating: "0a", count: 16))), issued: now)
    }

    private func read(_ token: String, _ verifier: WebTokenVerifier) async -> PlatformToken? {
        await verifier.payload(of: token, at: now)
    }

    @Test func aTokenIsReadWithItsIssuersKey() async throws {
        let issuer = try issuer()
        let payload = try payload()
        let token = try await issuer.token(payload)
        #expect(await read(token, WebTokenVerifier(keySet: issuer.keySet)) == payload)
        // Both implementations agree.
        let claims = try SignedToken(token).claims(checkedWith: issuer.keySet)
        #expect(claims.string("sub") == "alice@example.com")
        #expect(await read(token, WebTokenVerifier(keySet: try self.issuer(isOther: true).keySet)) == nil)
        #expect(await read(token, WebTokenVerifier(keySet: JSONObject([:]))) == nil)
    }

    @Test func aTokenCountsUntilItExpires() async throws {
        let issuer = try issuer()
        let token = try await issuer.token(try payload())
        let verifier = await WebTokenVerifier(keySet: issuer.keySet)
        let last: PlatformToken? = await verifier.payload(of: token, at: now + .seconds(299))
        let late: PlatformToken? = await verifier.payload(of: token, at: now + .seconds(300))
        #expect(last != nil && late == nil)
        #expect(last?.isFor("p1", from: "https://login.example.com/trust-2025") == true)
        #expect(last?.isFor("p2", from: "https://login.example.com/trust-2025") == false)
        #expect(last?.isFor("p1", from: "https://login.example.com/trust-2023") == false)
    }

    /// A certificate is no login, and a token with claims of other types is invalid.
    @Test func aTokenIsOfOneKind() async throws {
        let issuer = try issuer()
        let verifier = await WebTokenVerifier(keySet: issuer.keySet)
        let certificate = SignatureCertificate(documentHash: [1, 2], certified: now)
        #expect(await read(try await issuer.token(certificate), verifier) == nil)
        let signed = try await SignedToken.text(of: "{\"exp\":\"tomorrow\"}", by: issuer)
        #expect(await verifier.payload(of: signed, as: SignatureCertificate.self, at: now) == nil)
    }

    @Test func whatWasTamperedWithIsNone() async throws {
        let issuer = try issuer()
        let verifier = await WebTokenVerifier(keySet: issuer.keySet)
        let parts = try await issuer.token(try payload()).split(separator: ".").map(String.init)
        func token(_ header: String, _ claims: String, _ signature: String) -> String {
            [header, claims, signature].joined(separator: ".")
        }
        let kid = JSONValue.string(issuer.key.id)
        func part(_ members: [String: JSONValue]) -> String { Base64.urlText(JSONObject(members).body) }
        try #require(await read(token(parts[0], parts[1], parts[2]), verifier) != nil)
        var claims = try #require(Base64.bytes(urlText: parts[1]).flatMap { JSONObject(body: $0) }).members
        claims["sub"] = "mallory@example.com"
        var broken = try #require(Base64.bytes(urlText: parts[2]))
        broken[100] ^= 1
        let tampered = [
            token(parts[0], part(claims), parts[2]), token(parts[0], parts[1], Base64.urlText(broken)),
            token(parts[0], parts[1], Base64.urlText(Array(broken.dropLast()))), token(parts[0], parts[1], ""),
            token(part(["alg": "none", "kid": kid]), parts[1], ""),
            token(part(["alg": "none", "kid": kid]), parts[1], parts[2]),
            token(part(["alg": "RS256", "kid": "s2"]), parts[1], parts[2]),
            token(part(["alg": "RS256"]), parts[1], parts[2]), token("", parts[1], parts[2]),
            parts[0] + "." + parts[1], parts.joined(separator: ".") + ".", "", "..",
        ]
        for (number, text) in tampered.enumerated() { #expect(await read(text, verifier) == nil, "\(number)") }
        // The public key is no secret, so a token keyed with it proves nothing.
        let header = part(["alg": "HS256", "kid": kid])
        let modulus = Base64.urlText(issuer.key.modulus)
        let code = Digest.hmacSHA256(header + "." + parts[1], key: SecretBytes(Array(modulus.utf8)))
        #expect(await read(token(header, parts[1], Base64.urlText(code)), verifier) == nil)
    }

    /// Signed by the right key (s1 stands for its name), and refused all the same, because the header asks for
    /// another verification.
    @Test(
        arguments: [
            ["alg": "none", "kid": "s1"], ["alg": "HS256", "kid": "s1"], ["alg": "RS512", "kid": "s1"],
            ["alg": "RS256", "kid": "s2"], ["alg": "RS256"], ["kid": "s1"],
            ["alg": "RS256", "kid": "s1", "crit": .array(["exp"])],
        ] as [[String: JSONValue]])
    func theHeaderCounts(_ header: [String: JSONValue]) async throws {
        let issuer = try issuer()
        let verifier = await WebTokenVerifier(keySet: issuer.keySet)
        let claims = "{\"cAt\":1,\"exp\":9999999999,\"hash\":\"00\"}"
        var header = header
        if header["kid"] == "s1" { header["kid"] = .string(issuer.key.id) }
        let text = String(decoding: JSONObject(header).body, as: UTF8.self)
        let refused = try await SignedToken.text(of: claims, by: issuer, header: text)
        #expect(await verifier.payload(of: refused, as: SignatureCertificate.self, at: now) == nil)
        // The reader ignores members that nobody has to understand, however large.
        let taken = try await SignedToken.text(
            of: claims, by: issuer, header: "{\"alg\":\"RS256\",\"kid\":\"\(issuer.key.id)\",\"x\":1e300}")
        #expect(await verifier.payload(of: taken, as: SignatureCertificate.self, at: now) != nil)
    }

    /// Other keys in a set are ignored.
    @Test func aSetMayHaveOtherKeys() async throws {
        let issuer = try issuer()
        let token = try await issuer.token(try payload())
        guard case .array(let own)? = issuer.keySet.members["keys"], case .object(var key) = own[0] else {
            Issue.record("a key set without keys")
            return
        }
        let others: [JSONValue] = [
            .object(["kty": "oct", "kid": "a", "k": "AAAA"]), .object(["kty": "RSA", "kid": "b"]), "no key",
            .object(["kty": "EC", "kid": "c", "crv": "P-256K", "x": "AA", "y": "AA"]),
            .object(["kty": "RSA", "kid": "d", "n": "AAAA", "e": "AQAB"]),
        ]
        #expect(await read(token, WebTokenVerifier(keySet: JSONObject(["keys": .array(others + own)]))) != nil)
        #expect(await read(token, WebTokenVerifier(keySet: JSONObject(["keys": .array(others)]))) == nil)
        key["alg"] = "PS256"
        #expect(await read(token, WebTokenVerifier(keySet: JSONObject(["keys": .array([.object(key)])]))) == nil)
        // A set may omit the algorithm.
        key["alg"] = nil
        #expect(await read(token, WebTokenVerifier(keySet: JSONObject(["keys": .array([.object(key)])]))) != nil)
    }

    /// Random bytes are refused without a crash.
    @Test func rubbishIsNone() async throws {
        let verifier = await WebTokenVerifier(keySet: try issuer().keySet)
        var generator = SplitMix64(seed: 20261121)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                UInt8.random(in: 0x20...0x7e, using: &generator)
            }
            #expect(await read(String(decoding: bytes, as: UTF8.self) + "..", verifier) == nil)
        }
    }
}
