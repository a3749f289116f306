// SPDX-License-Identifier: Apache-2.0

import Encoding
import Foundation
import Patience
import Testing

@Suite("Bytes as text") struct EncodingTests {
    @Test func hexadecimalRoundTrip() {
        #expect(Hexadecimal.text([0, 1, 0xab, 0xff]) == "0001abff")
        #expect(Hexadecimal.capitalText([0, 1, 0xab, 0xff]) == "0001ABFF")
        #expect(Hexadecimal.bytes("0001ABff") == [0, 1, 0xab, 0xff])
        for text in ["0", "0g", "0x", " 0", "é1"] { #expect(Hexadecimal.bytes(text) == nil, "\(text)") }
    }

    @Test func hexadecimalDigitsAreExact() {
        for byte in UInt8.min...UInt8.max {
            let expected = UInt8(String(Unicode.Scalar(byte)), radix: 16)
            #expect(Hexadecimal.value(of: byte) == (byte < 0x80 ? expected : nil), "\(byte)")
        }
        #expect((UInt8(0)...15).map { Hexadecimal.digit($0) } == Array("0123456789abcdef".utf8))
        #expect((UInt8(0)...15).map { Hexadecimal.capitalDigit($0) } == Array("0123456789ABCDEF".utf8))
    }

    /// RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]) func base64(_ text: String, _ encoded: String) {
        #expect(Base64.text(text.utf8) == encoded)
        #expect(Base64.bytes(encoded) == Array(text.utf8))
        let urlText = String(encoded.prefix { $0 != "=" })
        #expect(Base64.urlText(text.utf8) == urlText)
        #expect(Base64.bytes(urlText: urlText) == Array(text.utf8))
    }

    @Test(arguments: [
        "Zg", "Zg=", "Z===", "====", "Zh==", "Zm9=", "Zm9v ", "Zm9v\n", "Zm-v", "Zm_v", "Zé==", "Z", "Zg==Zg==",
    ])
    func noBase64(_ text: String) { #expect(Base64.bytes(text) == nil) }

    @Test(arguments: ["Z", "Zg==", "Zh", "Zm9", "Zm+v", "Zm/v", "Zm9v "])
    func noURLSafeBase64(_ text: String) { #expect(Base64.bytes(urlText: text) == nil) }

    /// Against Foundation's.
    @Test func anyBytesAreBase64() {
        let seed: UInt64 = 0xBA5E64
        var generator = SplitMix64(seed: seed)
        let alphabet = Array("ABCXYZabcxyz0189+/-_= \n".utf8)
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...70, using: &generator)).map { _ in
                UInt8.random(in: .min ... .max, using: &generator)
            }
            let text = Base64.text(bytes)
            #expect(text == Data(bytes).base64EncodedString() && Base64.bytes(text) == bytes, "seed \(seed)")
            #expect(Base64.bytes(urlText: Base64.urlText(bytes)) == bytes, "seed \(seed)")
            let letters = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            let other = String(decoding: letters, as: UTF8.self)
            if let read = Base64.bytes(other) {
                #expect(
                    Base64.text(read) == other && Data(base64Encoded: other) == Data(read), "seed \(seed): \(other)")
            }
            if let read = Base64.bytes(urlText: other) {
                #expect(Base64.urlText(read) == other, "seed \(seed): \(other)")
            }
        }
    }

    @Test func percentEscapes() {
        #expect(PercentEncoding.text("a-._~Z9 é%:") == "a-._~Z9%20%C3%A9%25%3A")
        #expect(PercentEncoding.text("a:b/", keeping: ":") == "a:b%2F")
        func decoded(_ text: String) -> [UInt8]? {
            let text = Array(text.utf8)
            var bytes: [UInt8] = []
            var index = 0
            while index < text.count {
                guard let byte = PercentEncoding.byte(in: text.span, at: &index)?.value else { return nil }
                bytes.append(byte)
            }
            return bytes
        }
        #expect(decoded("a%2f%2Fb+%00") == [0x61, 0x2F, 0x2F, 0x62, 0x2B, 0])
        for text in ["%", "%a", "a%1", "%zz", "%é1", "%%41"] { #expect(decoded(text) == nil, "\(text)") }
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

    @Test func bytesThatAreTakenOverAreASecret() {
        #expect(SecretBytes([1, 2, 3]) == SecretBytes(copying: [1, 2, 3]))
        let mine: [UInt8] = [4, 5]
        #expect(SecretBytes(mine) == SecretBytes(copying: [4, 5]) && mine == [4, 5])
        var bytes: [UInt8] = [1, 2]
        wipe(&bytes)
        #expect(bytes == [0, 0])
    }
}
