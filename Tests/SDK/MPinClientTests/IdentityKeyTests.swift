// SPDX-License-Identifier: Apache-2.0

import MPinClient
import Testing

@Suite("The bytes of the user id identify an identity, in stores and backends alike")
struct IdentityKeyTests {
    @Test(arguments: [
        ("kelly", "kelly", true), ("kelly", "Kelly", false), ("\u{212a}elly", "Kelly", false),
        ("\u{fc}", "u\u{308}", false),
    ])
    func comparesBytes(_ one: String, _ other: String, _ isSame: Bool) {
        let keys = [one, other].map { IdentityKey(userID: $0, backend: "login.example.com") }
        #expect((keys[0] == keys[1]) == isSame)
        #expect(Set(keys).count == (isSame ? 1 : 2))
    }

    @Test func theBackendBelongsToIt() {
        #expect(IdentityKey(userID: "ab", backend: "c") != IdentityKey(userID: "a", backend: "bc"))
    }
}
