// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The exact content of a token for relying parties.
@Suite struct WebTokenIssuerTests {
    private let now = WallTime(milliseconds: 1_795_262_400_900)

    private func issuer() throws -> WebTokenIssuer {
        let ring = try SharedSigningKey.ring()
        return WebTokenIssuer(keys: { ring }, clock: ManualWallClock())
    }

    private func texts(_ payload: some WebTokenPayload) async throws -> [String] {
        try await issuer().token(payload).split(separator: ".").prefix(2).map {
            String(decoding: try #require(Base64.bytes(urlText: String($0))), as: UTF8.self)
        }
    }

    private func header() throws -> String { #"{"alg":"RS256","kid":"\#(try issuer().key.id)","typ":"JWT"}"# }

    @Test func aLogin() async throws {
        let number = String(repeating: "0a", count: 16)
        let token = PlatformToken(
            issuer: "https://login.example.com/a", userID: "Zoë@example.com", projectID: "p1",
            number: try #require(OneTimeToken(number)), issued: now)
        #expect(
            try await texts(token) == [
                try header(),
                #"{"aud":"p1","exp":1795262700,"iat":1795262400,"iss":"https://login.example.com/a","jti":""# + number
                    + #"","sub":"Zoë@example.com"}"#,
            ])
    }

    @Test func aCertificate() async throws {
        let certificate = SignatureCertificate(documentHash: [0xa0, 0x0b], certified: now)
        #expect(try await texts(certificate) == [try header(), #"{"cAt":1795262400,"exp":1795266000,"hash":"a00b"}"#])
    }

    @Test func theKeySetShowsThePublicHalfAlone() throws {
        let key = try issuer()
        guard case .array(let keys)? = key.keySet.members["keys"], keys.count == 1, case .object(let members) = keys[0]
        else {
            Issue.record("\(key.keySet)")
            return
        }
        #expect(Set(members.keys) == ["kty", "use", "alg", "kid", "n", "e"])
        #expect(members["kty"] == "RSA" && members["use"] == "sig" && members["alg"] == "RS256")
        #expect(members["kid"] == .string(key.key.id) && members["e"] == "AQAB")
        // 256 bytes without padding.
        guard case .string(let modulus)? = members["n"] else { return }
        #expect(modulus.utf8.count == 342 && Base64.bytes(urlText: modulus) == key.key.modulus)
    }
}
