// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import BackendValues

@Suite struct EncodingTests {
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

    /// A mark that joins a quotation mark to one character does not carry it past the escaping.
    @Test func eachScalarIsEscapedForHTML() {
        let escaped = HTMLText.escaped("\"\u{301} '\u{301} <\u{301}b>&amp;")
        #expect(escaped == "&quot;\u{301} &#39;\u{301} &lt;\u{301}b&gt;&amp;amp;")
        let field = HTMLText.hidden([("a", "\"\u{301} autofocus")])
        #expect(field == "<input type=\"hidden\" name=\"a\" value=\"&quot;\u{301} autofocus\">")
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

    @Test(arguments: [
        ("a@b", true), ("zoë@exämple.com", true), ("a b@c", false), ("a@b@c", false), ("@b", false), ("a@", false),
        ("a", false), ("a@b>", false), ("<a@b", false), ("a\n@b", false), ("", false),
    ])
    func whatCanBeAddressed(_ text: String, _ isAddress: Bool) {
        #expect(MailAddress.isValid(text) == isAddress)
    }
}
