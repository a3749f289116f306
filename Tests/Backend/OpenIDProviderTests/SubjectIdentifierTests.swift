// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import Sealing
import Testing

@testable import OpenIDProvider

/// The `sub` of users whose ids are more than ASCII, or long. OpenID Connect Core, section 2.
@Suite struct SubjectIdentifierTests {
    @Test(arguments: ["alice@example.com", "Alice 7", String(repeating: "a", count: 255)])
    func anOrdinaryIDIsItself(_ userID: String) { #expect(SubjectIdentifier.text(for: userID) == userID) }

    /// Relying parties store it: it never changes.
    @Test func anotherIDIsADigest() {
        let known = "sha256-" + Base64.urlText(Digest.sha256(Array("zo\u{eb}@example.com".utf8)))
        #expect(SubjectIdentifier.text(for: "zo\u{eb}@example.com") == known)
        #expect(known == "sha256-VBiJn3qr5fRd0zUP6O3PieF2Op5kyF5Smx9oy_UUR2c")
        // Nobody becomes another user by registering that user's digest.
        let others = [known, "zo\u{eb}", "жена@example.com", String(repeating: "a", count: 256), "sha256-"]
        let texts = Set(others.map { SubjectIdentifier.text(for: $0) } + [known])
        #expect(texts.count == others.count + 1)
        for text in texts { #expect(text.utf8.count <= 255 && text.utf8.allSatisfy { $0 < 0x80 }) }
    }

    /// ID token and userinfo agree, and a hint means the user.
    @Test func tokensAndUserInfoAgree() async throws {
        let endpoint = try ProviderUnderTest()
        let userID = "жена@example.com"
        let request = try await endpoint.provider.request(try ProviderUnderTest.fields())
        let location = try await endpoint.provider.grant(request, to: userID, authenticated: endpoint.clock.now)
        let tokens = try await endpoint.redeem(try #require(try ProviderUnderTest.answer(location)["code"]))
        let subject = try #require(try await endpoint.userInfo(tokens).string("sub"))
        #expect(subject == SubjectIdentifier.text(for: userID) && subject.hasPrefix("sha256-"))
        let identity = try await endpoint.identity(tokens)
        #expect(identity.names(userID) && !identity.names(subject))
        let wish = try ProviderUnderTest.fields(["id_token_hint": tokens.string("id_token")])
        let login = BrowserLogin(userID: userID, authenticated: endpoint.clock.now)
        #expect(try await endpoint.provider.request(wish, after: login).login != nil)
    }
}
