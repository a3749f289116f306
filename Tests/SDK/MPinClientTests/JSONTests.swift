// SPDX-License-Identifier: Apache-2.0

import Encoding
import Foundation
import LoginValues
import Patience
import Testing

@testable import MPinClient

@Suite struct JSONTests {
    private func parse(_ text: String) throws(JSONError) -> JSONObject {
        try JSONObject(text)
    }

    @Test func readsEveryType() throws {
        let object = try parse(
            #" { "s" : "a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é" , "n":-12, "t":true,"f":false,"z":null,"h":"00fF","e":{},"k":[1,{"x":[]}]} "#
        )
        #expect(try object.string("s") == "a\"\\/\u{8}\u{C}\n\r\t\u{E9}\u{1F600}\u{E9}")
        #expect(try object.integer("n") == -12)
        #expect(try object.boolean("t") && !object.boolean("f"))
        #expect(try object.optionalString("z") == nil && object.optionalString("absent") == nil)
        #expect(try object.bytes("h", counts: 2...2) == [0, 0xFF])
        #expect(object.parameter("n") == "-12" && object.parameter("t") == "true" && object.parameter("e") == nil)
        #expect(try parse(" \r\n\t").keys.isEmpty && parse("").keys.isEmpty && parse("{}").keys.isEmpty)
    }

    @Test func passesAByteOrderMarkOver() throws {
        let object = try parse("\u{FEFF} {\"s\":\"a\",\"n\":7}")
        #expect(try object.string("s") == "a" && object.integer("n") == 7)
        #expect(try parse("\u{FEFF}").keys.isEmpty)
        for text in ["\u{FEFF}\u{FEFF}{}", "{}\u{FEFF}", "{\u{FEFF}}"] {
            #expect(throws: JSONError.self) { try parse(text) }
        }
    }

    @Test func convertsNothing() throws {
        let object = try parse(#"{"s":"1","n":1,"b":true,"a":[],"o":{},"f":1.0,"odd":"abc","esc":"\u0030\u0030"}"#)
        #expect(throws: JSONError.self) { try object.integer("s") }
        #expect(throws: JSONError.self) { try object.integer("f") }
        #expect(throws: JSONError.self) { try object.integer("b") }
        #expect(throws: JSONError.self) { try object.string("n") }
        #expect(throws: JSONError.self) { try object.string("a") }
        #expect(throws: JSONError.self) { try object.boolean("n") }
        #expect(throws: JSONError.self) { try object.boolean("s") }
        #expect(throws: JSONError.self) { try object.bytes("odd", counts: 0...9) }
        #expect(throws: JSONError.self) { try object.bytes("esc", counts: 0...9) }
        #expect(throws: JSONError.self) { try object.bytes("s", counts: 1...1) }
        #expect(throws: JSONError.self) { try object.string("absent") }
    }

    /// Every accepted text is accepted by Foundation too, with the same keys. (This reader is stricter, so not the
    /// reverse.)
    @Test func agreesWithAnotherReader() throws {
        let seed: UInt64 = 0xC0FFEE
        var random = SplitMix64(seed: seed)
        let samples = [
            #"{"a":"b","c":[1,2.5e-3,{"d":null}],"e":true,"f":"\u00e9\n"}"#, #"{"y":"00ff","pass":1,"message":"OK"}"#,
            #"{"a":{"b":{"c":[[],{}]}},"z":-0.0,"q":"\ud83d\ude00"}"#, "{}", #" {"k" : false } "#,
        ].map { Array($0.utf8) }
        let alphabet = Array(#"{}[]",:\/ueE+-.019atrflsn "#.utf8) + [0, 9, 10, 0x80, 0xC3, 0xFF]
        var accepted = 0
        for round in 0..<20_000 {
            var bytes = samples[round % samples.count]
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let letter = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
                let place = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.insert(letter, at: place)
                case 1 where place < bytes.count: bytes[place] = letter
                default: if place < bytes.count { bytes.remove(at: place) }
                }
            }
            guard let object = try? JSONObject(SecretBytes(copying: bytes)) else { continue }
            guard !bytes.allSatisfy({ [9, 10, 13, 32].contains($0) }) else { continue }
            accepted += 1
            // Foundation refuses a bad escape in any text, this reader only in texts that are read.
            let isReadable = object.keys.allSatisfy {
                (try? object.optionalString($0)) != nil || object.parameter($0) != nil
            }
            guard isReadable else { continue }
            let other = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
            #expect(other.map { Set($0.keys) } == Set(object.keys), "seed \(seed), round \(round)")
        }
        #expect(accepted > 5000)
    }

    @Test func writesWhatAnotherReaderReads() throws {
        let hard =
            String(String.UnicodeScalarView((1...0x30).compactMap(Unicode.Scalar.init)))
            + "\"\\/\u{2028}\u{1F600}\u{7F}"
        var body = JSONBody([
            "text": .text(hard), "secret": .secretText(SecretBytes(copying: hard.utf8)), "n": .number(.min),
        ])
        body.add("hex", .hex([0, 0x9A, 0xFF]))
        body.add("b", .boolean(true))
        body.add("json", .json(SecretBytes(copying: "{\"x\":[1]}".utf8)))
        let data = Data(text(body.encoded()).utf8)
        let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["text"] as? String == hard && object["secret"] as? String == hard)
        #expect(object["n"] as? Int == .min && object["hex"] as? String == "009aff" && object["b"] as? Bool == true)
        #expect((object["json"] as? [String: [Int]])?["x"] == [1])
        #expect(text(JSONBody([:]).encoded()) == "{}")
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:00", 0), ("1970-01-01T00:00:01Z", 1), ("2026-11-21T10:12:03.465589", 1_795_255_923),
            ("2000-02-29T12:00:00Z", 951_825_600), ("2100-03-01T00:00:00", 4_107_542_400), ("1969-12-31T23:59:59Z", -1),
        ] as [(String, Int64)]) func readsTimes(_ text: String, _ seconds: Int64) throws
    {
        #expect(ServerTime.seconds(text) == seconds)
        #expect(try parse("{\"t\":\"\(text)\"}").time("t") == seconds)
        #expect(try parse("{\"t\":\(seconds)}").time("t") == seconds)
        #expect(try parse("{\"t\":\"\(seconds)\"}").time("t") == seconds)
    }

    @Test(arguments: [
        "", "x", "2026-11-21", "2026-13-21T10:12:03", "2026-11-21T24:12:03", "2026-11-21T10:12:03.",
        "2026-11-21T10:12:03+01:00",
    ])
    func refusesWhatIsNoTime(_ text: String) throws {
        #expect(ServerTime.seconds(text) == nil)
        #expect(throws: JSONError.self) { try parse("{\"t\":\"\(text)\"}").time("t") }
    }

    @Test func refusesTimesOfOtherTypes() throws {
        for value in ["true", "[]", "{}", "1.5"] {
            #expect(throws: JSONError.self) { try parse("{\"t\":\(value)}").time("t") }
        }
        #expect(try parse("{}").time("t") == nil)
    }

    @Test(arguments: [
        (#"a\/b\/"#, "a/b/"), (#"\/"#, "/"), ("a/b", "a/b"), ("abc", "abc"),
    ]) func readsSecretTexts(_ written: String, _ text: String) throws {
        let object = try parse(#"{"t":"\#(written)"}"#)
        #expect(
            try object.secretText("t", counts: text.utf8.count...text.utf8.count) == SecretBytes(copying: text.utf8))
        #expect(throws: JSONError.self) { try object.secretText("t", counts: 0...(text.utf8.count - 1)) }
    }

    @Test(arguments: [#"\\/"#, #"a\u002f"#, #"\\"#, "a b", #"\""#, #"\n"#, "\u{E9}"])
    func refusesSecretTextsThatArePacked(_ written: String) throws {
        let object = try parse(#"{"t":"\#(written)"}"#)
        #expect(throws: JSONError.self) { try object.secretText("t", counts: 0...99) }
    }

    @Test func readsObjectsAndListsWithin() throws {
        let object = try parse(#"{"o":{"a":"b","o":{}},"n":null,"l":["x\/y","\u00e9"],"e":[],"d":{"a":1,"a":2}}"#)
        #expect(try object.optionalObject("o")?.string("a") == "b")
        #expect(try object.optionalObject("n") == nil && object.optionalObject("none") == nil)
        #expect(try object.strings("l", counts: 2...2) == ["x/y", "\u{E9}"])
        #expect(try object.strings("e", counts: 0...2) == [])
        for key in ["l", "e", "none", "o", "n"] {
            #expect(throws: JSONError.self) { try object.strings(key, counts: 3...3) }
        }
        #expect(throws: JSONError.self) { try object.strings("l", counts: 0...1) }
        #expect(throws: JSONError.self) { try object.optionalObject("l") }
        // A repeated key is refused at every level that is read.
        #expect(throws: JSONError.self) { try object.optionalObject("d") }
        for list in ["[1]", "[\"a\",null]", "[[\"a\"]]", "[{}]", #"["\ud800"]"#] {
            #expect(throws: JSONError.self) { try parse("{\"l\":\(list)}").strings("l", counts: 0...9) }
        }
    }
}
