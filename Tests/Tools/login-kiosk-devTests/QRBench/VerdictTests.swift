// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues
import Testing
@testable import login_kiosk_dev

@Suite("The entry's rule decides about texts that were read")
struct VerdictTests {
    private func entry(
        _ rule: EntryRule, _ texts: [String], isPhotograph: Bool = false, bytes: String? = nil
    ) -> ManifestEntry {
        ManifestEntry(
            file: "a/b.png", category: "c", kind: isPhotograph ? "real" : "exact", rule: rule, texts: texts,
            bytesHex: bytes)
    }

    private func verdict(_ payloads: [[UInt8]], _ entry: ManifestEntry, parts: Int = 1) -> Verdict {
        let sighting = SymbolSighting(
            captured: .zero, frameWidth: 1, frameHeight: 1, centreX: 0, centreY: 0, edge: 1, brightness: 0, sharpness: 0
        )
        return Verdict(
            payloads.compactMap { Symbol(payload: SecretBytes(copying: $0), parts: parts, sighting: sighting) },
            for: entry)
    }

    private func verdict(_ texts: [String], _ entry: ManifestEntry) -> Verdict {
        verdict(texts.map { Array($0.utf8) }, entry)
    }

    private func verdict(read: Bool, wrong: Int = 0, unlisted: Int = 0, met: Bool) -> Verdict {
        var verdict = Verdict([], for: entry(.none, []))
        (verdict.isRead, verdict.wrong, verdict.unlisted, verdict.isMet) = (read, wrong, unlisted, met)
        return verdict
    }

    @Test func oneOfTheTextsIsToBeRead() {
        #expect(verdict(["B"], entry(.text, ["A", "B"])) == verdict(read: true, met: true))
        #expect(verdict([String](), entry(.text, ["A"])) == verdict(read: false, met: false))
        #expect(verdict(["X"], entry(.text, ["A"])) == verdict(read: false, wrong: 1, met: false))
        #expect(verdict(["A", "X"], entry(.text, ["A"])) == verdict(read: true, wrong: 1, met: false))
    }

    @Test func aPhotographMayShowMoreThanWasLabelled() {
        let photograph = entry(.text, ["A"], isPhotograph: true)
        #expect(verdict(["A", "X"], photograph) == verdict(read: true, unlisted: 1, met: true))
        #expect(verdict(["X"], photograph) == verdict(read: false, wrong: 1, met: false))
        #expect(verdict(["A \n"], photograph) == verdict(read: true, met: true))
    }

    @Test func allOfSeveralAreToBeRead() {
        let both = entry(.multiple, ["A", "B"])
        #expect(verdict(["B", "A"], both) == verdict(read: true, met: true))
        #expect(verdict(["A"], both) == verdict(read: false, met: false))
    }

    @Test func nothingIsReadWhereNothingIs() {
        #expect(verdict([String](), entry(.none, [])) == verdict(read: false, met: true))
        #expect(verdict(["A"], entry(.none, [])) == verdict(read: false, wrong: 1, met: false))
        #expect(verdict(["A"], entry(.noneOrText, ["A"])) == verdict(read: false, met: true))
        #expect(verdict([String](), entry(.noneOrText, [])) == verdict(read: false, met: true))
    }

    @Test func whatIsToBeRejectedBecomesNoLogin() {
        let login = "https://login.example/mfa#123456"
        #expect(verdict([login], entry(.reject, [login])) == verdict(read: false, met: false))
        let broken = login + "\r\n7"
        #expect(verdict([broken], entry(.reject, [broken])) == verdict(read: false, met: true))
        // A text joined from several codes is no login code.
        #expect(verdict([Array(login.utf8)], entry(.reject, [login]), parts: 2) == verdict(read: false, met: true))
    }

    @Test func bytesDecideWhereTheyAreGiven() {
        let exact = entry(.text, ["A\u{FFFD}"], bytes: "41ff")
        #expect(verdict([[0x41, 0xFF]], exact).isRead)
        #expect(!verdict(["A\u{FFFD}"], exact).isRead)
    }

    @Test func undeclaredCharacterSetsAreRead() {
        #expect(TextReading.matches([0x63, 0x61, 0x66, 0xE9], "caf\u{E9}"))
        #expect(TextReading.matches([0x93, 0xFA, 0x96, 0x7B], "\u{65E5}\u{672C}"))
        #expect(TextReading.matches([0xB0, 0xA2], "\u{963F}"))
        #expect(!TextReading.matches([0xB0, 0xA2], "A"))
        #expect(!TextReading.matches([0xFF, 0xFF], "\u{65E5}"))
    }
}
