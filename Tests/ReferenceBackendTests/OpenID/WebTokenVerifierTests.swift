// SPDX-License-Identifier: Apache-2.0

import SeededRandomness
import Testing

@testable import ReferenceBackend

@Suite struct WebTokenVerifierTests {
    private let state = TemporaryFolder()

    private func issuer(_ name: String = "a") throws -> WebTokenIssuer {
        WebTokenIssuer(key: try SigningKey(state: try StateDirectory(path: state.path + "/" + name)))
    }

    @Test func aTokenIsReadWithItsIssuersKey() throws {
        let issuer = try issuer()
        let token = try issuer.token(["sub": "alice@example.com", "n": 7])
        #expect(
            WebTokenVerifier(keySet: issuer.keySet).claims(in: token)?.members == ["sub": "alice@example.com", "n": 7])
        // The two ways to check one agree.
        #expect(try SignedToken(token).claims(checkedWith: issuer.keySet).integer("n") == 7)
        #expect(WebTokenVerifier(keySet: try self.issuer("b").keySet).claims(in: token) == nil)
        #expect(WebTokenVerifier(keySet: JSONObject([:])).claims(in: token) == nil)
    }

    @Test func whatWasTamperedWithIsNone() throws {
        let issuer = try issuer()
        let verifier = WebTokenVerifier(keySet: issuer.keySet)
        let parts = try issuer.token(["sub": "alice@example.com"]).split(separator: ".").map(String.init)
        func token(_ header: String, _ claims: String, _ signature: String) -> String {
            [header, claims, signature].joined(separator: ".")
        }
        func part(_ members: [String: JSONValue]) -> String { Base64.urlText(JSONObject(members).body) }
        try #require(verifier.claims(in: token(parts[0], parts[1], parts[2])) != nil)
        var broken = try #require(Base64.bytes(urlText: parts[2]))
        broken[100] ^= 1
        let tampered = [
            token(parts[0], part(["sub": "mallory@example.com"]), parts[2]),
            token(parts[0], parts[1], Base64.urlText(broken)),
            token(parts[0], parts[1], Base64.urlText(Array(broken.dropLast()))), token(parts[0], parts[1], ""),
            token(part(["alg": "none", "kid": "s1"]), parts[1], ""),
            token(part(["alg": "none", "kid": "s1"]), parts[1], parts[2]),
            token(part(["alg": "RS256", "kid": "s2"]), parts[1], parts[2]),
            token(part(["alg": "RS256"]), parts[1], parts[2]), token("", parts[1], parts[2]),
            parts[0] + "." + parts[1], parts.joined(separator: ".") + ".", "", "..",
        ]
        for (number, text) in tampered.enumerated() { #expect(verifier.claims(in: text) == nil, "\(number)") }
        // The public key is no secret, so a token that it keyed proves nothing.
        let header = part(["alg": "HS256", "kid": "s1"])
        let modulus = Base64.urlText(issuer.key.modulus)
        let code = Digest.hmacSHA256(header + "." + parts[1], key: SecretBytes(Array(modulus.utf8)))
        #expect(verifier.claims(in: token(header, parts[1], Base64.urlText(code))) == nil)
    }

    /// Random bytes are no token, and nothing breaks.
    @Test func rubbishIsNone() throws {
        let verifier = WebTokenVerifier(keySet: try issuer().keySet)
        var generator = SplitMix64(seed: 20261121)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                UInt8.random(in: 0x20...0x7e, using: &generator)
            }
            #expect(verifier.claims(in: String(decoding: bytes, as: UTF8.self) + "..") == nil)
        }
    }
}
