// SPDX-License-Identifier: Apache-2.0

import SeededRandomness
import Testing

@testable import BackendValues

@Suite struct EncodingTests {
    @Test func hexadecimalRoundTrip() {
        #expect(Hexadecimal.text([0, 1, 0xab, 0xff]) == "0001abff")
        #expect(Hexadecimal.bytes("0001ABff") == [0, 1, 0xab, 0xff])
        for text in ["0", "0g", "0x", " 0", "é1"] { #expect(Hexadecimal.bytes(text) == nil, "\(text)") }
    }

    @Test func momentsInTheirThreeSpellings() throws {
        let time = try #require(WallTime(zonedText: "2024-02-29T23:59:58Z"))
        #expect(time.seconds == 1_709_251_198)
        let later = time + .milliseconds(1_005)
        #expect(later.zonedText == "2024-02-29T23:59:59Z")
        #expect(later.zonelessText == "2024-02-29T23:59:59.005000")
        #expect(later.issuedText == "2024-02-29 23:59:59.005000")
        #expect((time + .seconds(2)).zonedText == "2024-03-01T00:00:00Z")
        #expect(WallTime(seconds: 0).zonedText == "1970-01-01T00:00:00Z")
        #expect(WallTime(seconds: 4_102_444_800).zonedText == "2100-01-01T00:00:00Z")
    }

    @Test func everyDayOfFourCenturiesReadsBack() throws {
        for day in stride(from: Int64(0), to: 146_097, by: 13) {
            let time = WallTime(seconds: day * 86_400 + day % 86_400)
            #expect(WallTime(zonedText: time.zonedText) == time)
        }
    }

    @Test(arguments: [
        "", "2024-02-29", "2024-02-29T23:59:58", "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-01-01T24:00:00Z",
        "2025-02-29T00:00:00Z", "2024-01-01 00:00:00Z", "2024-01-01T00:00:00+", "x024-01-01T00:00:00Z",
        "2024-01-01T00:00:00ZZ",
    ])
    func aMomentThatIsNone(_ text: String) {
        #expect(WallTime(zonedText: text) == nil)
    }

    @Test func formFieldsRoundTrip() throws {
        let text = FormFields.text([("a", "x y+z%&=/"), ("b", "é"), ("c", "")])
        let fields = try #require(FormFields(text))
        #expect(fields["a"] == "x y+z%&=/")
        #expect(fields["b"] == "é")
        #expect(fields["c"] == "")
        #expect(fields["d"] == nil)
        #expect(FormFields("a=1&a=2&b")?["a"] == "1")
        #expect(FormFields("a=1&a=2&b")?.repeatedNames == ["a"])
        #expect(FormFields("a+b=c+d")?["a b"] == "c d")
        for broken in ["%", "a=%1", "a=%zz", "%ff=1", "a=%a9"] { #expect(FormFields(broken) == nil, "\(broken)") }
    }

    @Test func anyBytesAreFieldsOrNone() {
        let seed: UInt64 = 0xf1e1d5
        var generator = SplitMix64(seed: seed)
        let alphabet = Array("%&=+ab09;\u{0}é".utf8)
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            let text = String(decoding: bytes, as: UTF8.self)
            guard let fields = FormFields(text) else { continue }
            let again = FormFields(FormFields.text(fields.values.map { ($0.key, $0.value) }))
            #expect(again?.values == fields.values, "seed \(seed), \(text)")
        }
    }

    @Test func anyBytesAreJSONOrNot() {
        let seed: UInt64 = 0x0b1ec7
        var generator = SplitMix64(seed: seed)
        let alphabet = Array("{}[]\":,\\u0019eE+-. tfnalsr\u{0}é".utf8)
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            guard let object = JSONObject(body: [UInt8(ascii: "{")] + bytes + [UInt8(ascii: "}")]) else { continue }
            #expect(JSONObject(body: object.body) == object, "seed \(seed), \(bytes)")
        }
    }

    @Test(arguments: [
        ("a@b", true), ("zoë@exämple.com", true), ("a b@c", false), ("a@b@c", false), ("@b", false), ("a@", false),
        ("a", false), ("a@b>", false), ("<a@b", false), ("a\n@b", false), ("", false),
    ])
    func whatCanBeAddressed(_ text: String, _ isAddress: Bool) {
        #expect(MailAddress.isValid(text) == isAddress)
    }
}
