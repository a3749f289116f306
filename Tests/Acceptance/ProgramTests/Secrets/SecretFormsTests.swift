// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The search for secrets finds what was planted, so that finding nothing means something.
@Suite("The search for secrets", .fewAtATime)
struct SecretFormsTests {
    private static let pin = SecretForms("739154")
    private static let token = SecretForms("9f86d081884c7d659a2feaa0c55ad015")

    @Test(arguments: [
        "739154", "PIN: 739154.", #"{"pin":"739154"}"#, "[7, 3, 9, 1, 5, 4]", "[55,51,57,49,53,52]", "373339313534",
        "070309010504", "NzM5MTU0", "xNzM5MTU0", "BwMJAQUE", Data("a739154".utf8).base64EncodedString(),
        Data("ab739154".utf8).base64EncodedString(), "7\03\09\01\05\04", "7\0\0\03\0\0\09\0\0\01\0\0\05\0\0\04",
        "\u{7}\u{3}\u{9}\u{1}\u{5}\u{4}",
    ])
    func findsAPIN(in text: String) { #expect(Self.pin.isIn(text)) }

    @Test(arguments: [
        "", "73915", "739153", "12.739154", "1739154", "7391540", "at 1790739154", "a9c739154f0", "[7, 3, 9, 1, 5, 14]",
    ])
    func takesNoOtherNumberForIt(in text: String) { #expect(!Self.pin.isIn(text)) }

    @Test(arguments: [
        "session 9f86d081884c7d659a2feaa0c55ad015", "https://a.test#9F86D081884C7D659A2FEAA0C55AD015",
        "n4bQgYhMfWWaL+qgxVrQFQ==", "n4bQgYhMfWWaL-qgxVrQFQ",
        "[159, 134, 208, 129, 136, 76, 125, 101, 154, 47, 234, 160, 197, 90, 208, 21]",
    ])
    func findsAToken(in text: String) {
        #expect(Self.token.isIn(text))
        #expect(!Self.pin.isIn(text))
    }

    @Test func findsBytesAmongOthers() {
        let noise = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let key = (0..<32).map { UInt8($0 * 5 + 1) }
        let wide = key.flatMap { [UInt8]([$0, 0, 0, 0, 0, 0, 0, 0]) }
        #expect(!SecretForms(key: key).isIn(noise))
        for planted in [key, wide] { #expect(SecretForms(key: key).isIn(noise + planted + noise)) }
        let memory = noise + Array("739154".utf8)
        #expect(Self.pin.places(in: memory, upTo: memory.count) == [5000])
        #expect(Self.pin.places(in: memory, upTo: memory.count - 1).isEmpty)
    }
}
