// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OpenIDProvider

@Suite struct ProofKeyTests {
    /// RFC 7636, appendix B.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    @Test func theChallengeIsTheStandards() {
        #expect(ProofKey.challenge(of: Self.verifier) == Self.challenge)
        #expect(ProofKey.isMatch(Self.verifier, Self.challenge))
        #expect(!ProofKey.isMatch(Self.challenge, Self.challenge))
    }

    @Test func aNewVerifierIsOne() throws {
        let (first, second) = (try ProofKey.newVerifier(), try ProofKey.newVerifier())
        #expect(first != second && first.utf8.count == 43)
        #expect(ProofKey.isMatch(first, ProofKey.challenge(of: first)))
    }

    /// RFC 7636, section 4.1: only 43 to 128 unreserved characters are allowed, even if the hash is right.
    @Test(arguments: [
        (String(repeating: "a", count: 42), false), (String(repeating: "a", count: 43), true),
        (String(repeating: "~", count: 128), true), (String(repeating: "a", count: 129), false),
        (String(repeating: "a", count: 43) + "+", false), (String(repeating: "a", count: 43) + "\u{e9}", false),
    ])
    func aVerifierHasItsForm(_ text: String, isOne: Bool) {
        #expect(ProofKey.isMatch(text, ProofKey.challenge(of: text)) == isOne)
    }

    @Test(arguments: ["", challenge + "A", String(challenge.dropLast()), challenge.replacing("-", with: "+") + "="])
    func aChallengeIsADigest(_ text: String) {
        #expect(ProofKey.isChallenge(Self.challenge))
        #expect(!ProofKey.isChallenge(text))
    }
}
