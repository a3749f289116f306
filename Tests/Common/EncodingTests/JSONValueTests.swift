// SPDX-License-Identifier: Apache-2.0

import Encoding
import Foundation
import Patience
import Testing

@Suite("Any JSON") struct JSONValueTests {
    @Test(
        arguments: [
            (#"{}"#, .object([:])), (#" [ ] "#, .array([])), ("\t\r\n null", .null), ("true", .boolean(true)),
            (#"[1,-0,9223372036854775807,1e2,2.0]"#, .array([1, 0, .integer(.max), 100, 2])),
            (#"[0.5,-1.5e-3,9223372036854775808]"#, .array([.number(0.5), .number(-0.0015), .number(0x1p63)])),
            ("\u{FEFF} {}", .object([:])),
            (#"{"a":{"b":[false,"c"]},"a":1}"#, .object(["a": 1])),
            (#""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00é""#, .string("\"\\/\u{8}\u{c}\n\r\té\u{1F600}é")),
        ] as [(String, JSONValue)])
    func isRead(_ text: String, _ value: JSONValue) {
        #expect(JSONValue(reading: Array(text.utf8)) == value)
    }

    @Test(arguments: [
        "", " ", "{", "}", "[1,]", "[,1]", #"{"a"}"#, #"{"a":}"#, #"{a:1}"#, #"{"a":1,}"#, "1 2", "01", "+1", "1.",
        ".5",
        "1e", "-", "1e999", "nul", "True", #"""#, #""\x""#, #""\u12""#, #""\uD83D""#, #""\uD83D\u0041""#, #""\uDE00""#,
        "\"\n\"", "'a'", "\u{FEFF}\u{FEFF}{}", "{}\u{FEFF}",
        String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
    ])
    func isRefused(_ text: String) {
        #expect(JSONValue(reading: Array(text.utf8)) == nil)
    }

    @Test func anyBytesAreJSONOrNot() {
        let seed: UInt64 = 0x0b1ec7
        var generator = SplitMix64(seed: seed)
        let alphabet = Array("{}[]\":,\\u0019eE+-. tfnalsr\u{0}é".utf8)
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            guard let value = JSONValue(reading: [UInt8(ascii: "{")] + bytes + [UInt8(ascii: "}")]) else { continue }
            #expect(JSONValue(reading: value.text) == value, "seed \(seed), \(bytes)")
        }
    }

    @Test func thatIsNoUTF8IsRefused() {
        #expect(JSONValue(reading: [0x22, 0xFF, 0x22]) == nil)
    }

    @Test func isWrittenWithSortedMembers() {
        let value: JSONValue = .object([
            "b": .array([.null, .boolean(false), -1, .number(0.5)]), "a": .string("\"\\/\u{1}\n\r\té"),
        ])
        #expect(
            String(decoding: value.text, as: UTF8.self) == #"{"a":"\"\\/\u0001\n\r\té","b":[null,false,-1,0.5]}"#)
    }

    /// Against Foundation's reader: neither takes what the other refuses, but for what is said here.
    @Test func isReadAsFoundationDoes() {
        let seed: UInt64 = 0x15_0c0de
        var generator = SplitMix64(seed: seed)
        let pieces = [
            "{", "}", "[", "]", "\"", ":", ",", "\\u00e9", "\\n", "1", "0", "-", ".", "e", "true", "null", " ", "a",
        ]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 1...9, using: &generator))
                .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)] }.joined()
            let foundation = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            #expect((JSONValue(reading: Array(text.utf8)) != nil) == (foundation != nil), "seed \(seed): \(text)")
        }
    }
}
