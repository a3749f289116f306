// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Patience
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import OperatorPage
@testable import ReferenceBackend

@Suite struct OperatorWordsTests {
    /// A file has exactly the words, each with the same gaps as in English.
    @Test(arguments: OperatorWords.all.map(\.language)) func areComplete(_ language: String) throws {
        let words = try #require(OperatorWords.all.first { $0.language == language })
        for word in OperatorWord.allCases {
            func gaps(_ text: String) -> [String] { text.matches(of: #/\{[a-z]*\}/#).map { String($0.0) }.sorted() }
            let text = words.template(word)
            #expect(!text.isEmpty, "\(word)")
            if word != .dateFormat, word != .hourFormat {
                #expect(gaps(text) == gaps(OperatorWords.english.template(word)), "\(word)")
            }
            #expect(!text.contains { "<>&\"".contains($0) }, "\(word)")
        }
        for gap in ["{day}", "{month}", "{year}", "{time}"] { #expect(words.template(.dateFormat).contains(gap)) }
        #expect(words(.hourFormat, ["hour": "06"]).contains("06"))
        // Buttons and column heads must fit.
        for word in [OperatorWord.revoke, .unblock, .renew, .activate, .cancel, .next, .state, .wrongPINs, .lastLogin] {
            #expect(words.template(word).count <= 20, "\(word)")
        }
    }

    @Test func missNothing() {
        #expect(OperatorWords.all.map(\.language) == ["en", "de", "fr", "es", "bg"])
        #expect(OperatorWords(language: "en", file: Array("{}".utf8)) == nil)
        #expect(OperatorWords(language: "en", file: Array("[".utf8)) == nil)
        var more = JSONObject(body: OperatorPage.PackageResources.en_json)?.members ?? [:]
        more["more"] = "x"
        #expect(OperatorWords(language: "en", file: JSONObject(more).body) == nil)
    }

    @Test func writeNumbersAndTimes() throws {
        let german = try #require(OperatorWords.all.first { $0.language == "de" })
        #expect([0, 999, 1000, 1_234_567].map { german.number($0) } == ["0", "999", "1.000", "1.234.567"])
        #expect(OperatorWords.english.number(1000) == "1,000")
        #expect(german.time("2026-11-23T06:07:08Z") == "23.11.2026 06:07")
        #expect(OperatorWords.english.time("2026-11-23T06:07:08Z") == "2026-11-23 06:07")
        #expect(OperatorWords.english.time("<") == "&lt;")
    }

    /// Gaps in inserted text are not filled.
    @Test func fillGapsOnce() {
        #expect(OperatorWords.english(.revokeTitle, ["user": "{user}"]) == "Revoke {user}?")
        #expect(OperatorWords.english(.revokeTitle) == "Revoke ?")
    }

    @Test(
        arguments: [
            (nil, "en"), ("", "en"), ("de", "de"), ("de-AT", "de"), ("DE", "de"), ("xx,fr;q=0.3,es;q=0.4", "es"),
            ("fr;q=0.5, bg", "bg"), ("fr;q=0, bg;q=0.1", "bg"), ("fr;q=2,es;q=nan,bg;q=-1", "en"), ("*", "en"),
            ("*;q=0.1,fr;q=0.2", "fr"), ("es,fr", "es"), (" fr ; q=0.9 ,de;q=0.8", "fr"), ("fr;level=1", "en"),
        ] as [(String?, String)])
    func areChosenByTheBrowser(_ header: String?, _ language: String) {
        #expect(OperatorWords.chosen(by: header).language == language)
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func takeAnyWish(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let pieces = ["de", "fr", "*", ";", "q=", "0.5", ",", " ", "-", "1e999", "\u{0}", "\u{1f600}", "=", "bg;q=0.7"]
        let header = (0..<Int.random(in: 0..<200, using: &random)).map { _ in pieces.randomElement(using: &random) ?? ""
        }
        #expect(OperatorWords.all.map(\.language).contains(OperatorWords.chosen(by: header.joined()).language))
    }
}

@Suite struct ActivityPlotTests {
    private func plot(_ quarters: [Int64: LoginCounts], present: Int64 = 1_000_001) -> ActivityPlot {
        ActivityPlot(LoginActivity(present: present, quarters: quarters), .english)
    }

    @Test func aBarIsHalfAnHour() {
        let counts = LoginCounts(right: 3, wrongPIN: 2, blocked: 1, unknown: 1)
        let bars = plot([1_000_001: counts, 1_000_000: counts, 999_999: counts, 1_000_002: counts, 1: counts]).bars
        #expect(bars.count == 48 && bars.last?.counts == counts + counts && bars.dropLast().last?.counts == counts)
        #expect(bars.last?.start == WallTime(seconds: 900_000_000))
        #expect(bars.reduce(LoginCounts()) { $0 + $1.counts }.right == 9)
    }

    @Test func theAxisEndsAtARoundNumber() {
        let tops = [0, 1, 2, 3, 4, 5, 10, 11, 13, 17, 20, 21, 41, 107, 12_345] as [Int64]
        #expect(tops.map { ActivityPlot.top(for: $0) } == [2, 2, 2, 4, 4, 6, 10, 12, 16, 20, 20, 40, 60, 120, 16_000])
        #expect(ActivityPlot.top(for: .max) == .max)
    }

    @Test func aDayWithoutLoginsSaysSo() {
        let section = plot([:]).section
        #expect(section.contains(">No login in the last 24 hours</text>") && !section.contains("<rect"))
        #expect(section.contains("<desc id=\"failures-text\">No failure in the last 24 hours</desc>"))
    }

    /// For any counts, every bar stays within the picture, and the table has the same numbers.
    @Test(arguments: 0..<50 as Range<UInt64>) func everyBarIsInThePicture(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var quarters: [Int64: LoginCounts] = [:]
        let most = Int64(1) << Int64.random(in: 0...40, using: &random)
        for quarter in 999_900...1_000_001 as ClosedRange<Int64> where Bool.random(using: &random) {
            quarters[quarter] = LoginCounts(
                right: .random(in: 0...most, using: &random), wrongPIN: .random(in: 0...most, using: &random),
                blocked: .random(in: 0...1, using: &random), unknown: .random(in: 0...most, using: &random))
        }
        let section = plot(quarters).section
        let rectangle = #/<rect class="[a-z]+" x="([0-9]+)" y="([0-9.]+)" width="7" height="([0-9.]+)">/#
        for bar in section.matches(of: rectangle) {
            let (x, y, height) = (Int(bar.1) ?? 0, Double(bar.2) ?? -1, Double(bar.3) ?? -1)
            #expect((52..<484).contains(x) && y >= 0 && height > 0 && y + height <= 138.2)
        }
        let sum = plot(quarters).bars.reduce(0) { $0 + $1.counts.right }
        if sum > 0 { #expect(section.contains(">\(OperatorWords.english.number(sum)) logins,")) }
    }
}
