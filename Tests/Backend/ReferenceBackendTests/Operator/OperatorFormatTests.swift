// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Patience
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import OperatorPage
@testable import ReferenceBackend

@Suite struct OperatorFormatTests {
    @Test(arguments: PageWords.all.map(\.language)) func buttonsAndColumnHeadsFit(_ language: String) {
        let words = PageWords.named(language)
        for word in [PageWord.revoke, .unblock, .renew, .activate, .cancel, .next, .state, .wrongPINs, .lastLogin] {
            #expect(words.plain(word).count <= 20, "\(word)")
        }
    }

    @Test func writeNumbersAndTimes() throws {
        let german = try #require(PageWords.all.first { $0.language == "de" })
        #expect([0, 999, 1000, 1_234_567].map { german.number($0) } == ["0", "999", "1.000", "1.234.567"])
        #expect(PageWords.english.number(1000) == "1,000")
        #expect(german.time("2026-11-23T06:07:08Z") == "23.11.2026 06:07")
        #expect(PageWords.english.time("2026-11-23T06:07:08Z") == "2026-11-23 06:07")
        #expect(PageWords.english.time("<") == "&lt;")
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
        #expect(tops.map { ActivityChart.top(for: $0) } == [2, 2, 2, 4, 4, 6, 10, 12, 16, 20, 20, 40, 60, 120, 16_000])
        #expect(ActivityChart.top(for: .max) == .max)
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
        if sum > 0 { #expect(section.contains(">\(PageWords.english.number(sum)) logins,")) }
    }
}
