// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Patience
import Testing

@Suite("Text from a server cannot repaint the screen")
struct DisplayTextTests {
    @Test(arguments: [
        ("Example", "Example"),
        ("  Café \t Zürich\n", "Café Zürich"),
        ("a\u{1B}[2Jb", "a[2Jb"),
        ("evil\u{202E}moc.elpmaxe", "evilmoc.elpmaxe"),
        ("zero\u{200B}width\u{FEFF}", "zerowidth"),
        ("\u{9B}31mred", "31mred"),
        ("line\u{2028}two", "line two"),
        ("an object\u{FFFC}", "an object"),
        ("\u{0}\u{7F}", ""),
        ("", ""),
    ])
    func cleaned(text: String, shown: String) {
        #expect(DisplayText(text).description == shown)
    }

    @Test func capped() {
        let long = DisplayText(String(repeating: "ab", count: 5000)).description
        #expect(long.count == DisplayText.maximumLength)
        #expect(long.hasSuffix("…"))
        let pile = DisplayText("a" + String(repeating: "\u{301}", count: 5000)).description
        #expect(pile.unicodeScalars.count <= 4 * DisplayText.maximumLength)
    }

    @Test func aHundredThousandRandomTextsStayHarmless() {
        let seed: UInt64 = 20_261_121
        var generator = SplitMix64(seed: seed)
        for round in 0..<100_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...24, using: &generator) {
                let range: ClosedRange<UInt32> = Bool.random(using: &generator) ? 0...0x2FF : 0...0x10FFFF
                if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) {
                    text.unicodeScalars.append(scalar)
                }
            }
            let isHarmless = DisplayText(text).description.unicodeScalars.allSatisfy {
                switch $0.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
            if !isHarmless { Issue.record("seed \(seed), round \(round): \(text.debugDescription)") }
        }
    }
}
