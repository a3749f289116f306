// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskPorts
import Testing

@Suite("The design of drawn screens")
struct ScreenStyleTests {
    typealias Colour = ScreenStyle.Colour

    private static func light(_ colour: Colour, _ isHigh: Bool) -> Double {
        let parts = colour.parts(highContrast: isHigh).map { part in
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    private static func contrast(_ one: Colour, _ other: Colour, isHigh: Bool = false) -> Double {
        let lights = [light(one, isHigh), light(other, isHigh)].sorted()
        return (lights[1] + 0.05) / (lights[0] + 0.05)
    }

    @Test func eachMoodHasAColourThatCanBeReadOnTheGround() throws {
        for tone in Tone.allCases {
            let colour = try #require(Colour.allCases.first { "\($0)" == tone.rawValue })
            #expect(Self.contrast(colour, .ground) >= 7, "\(tone)")
            #expect(Self.contrast(colour, .ground, isHigh: true) >= 7, "\(tone)")
        }
    }

    @Test(arguments: [
        (Colour.text, Colour.ground), (.quiet, .ground), (.text, .raised), (.text, .cap), (.text, .yesGround),
        (.text, .noGround), (.ink, .clear),
    ])
    func textHasContrast(text: Colour, ground: Colour) {
        #expect(Self.contrast(text, ground) >= 7, "\(text) on \(ground)")
    }

    @Test(arguments: [(Colour.text, Colour.ground), (.quiet, .raised), (.ink, .clear), (.ink, .yesGround)])
    func textHasMoreContrastInHighContrast(text: Colour, ground: Colour) {
        #expect(Self.contrast(text, ground, isHigh: true) >= 15, "\(text) on \(ground)")
    }

    @Test func coloursAreWrittenInFull() {
        for colour in Colour.allCases {
            for text in [colour.rawValue, colour.highContrast] {
                #expect(text.wholeMatch(of: /#[0-9a-f]{6}/) != nil, "\(colour)")
            }
        }
        #expect(Colour.ready.parts() == [0x5C, 0xC8, 0xFF])
        #expect(Colour.clear.parts(highContrast: true) == [0xFF, 0xE1, 0])
    }

    @Test func eachLookHasItsTurn() {
        var look = ScreenLook.usual
        var turns: [ScreenLook] = []
        for _ in 0..<4 {
            look = look.next
            turns.append(look)
        }
        #expect(turns[0] == ScreenLook(hasLargeText: true) && turns[3] == .usual)
        #expect(Set(turns).count == 4)
    }
}
