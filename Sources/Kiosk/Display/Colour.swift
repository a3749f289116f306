// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A colour of the screen.
struct Colour: Sendable, Hashable {
    let red: UInt8
    let green: UInt8
    let blue: UInt8

    init(_ code: UInt32) {
        red = UInt8(truncatingIfNeeded: code >> 16)
        green = UInt8(truncatingIfNeeded: code >> 8)
        blue = UInt8(truncatingIfNeeded: code)
    }

    static let ground = Colour(0x0A0F1C)
    static let raised = Colour(0x18213A)
    static let edge = Colour(0x3A4668)
    static let text = Colour(0xF6F8FC)
    static let quiet = Colour(0xBCC6DA)
    static let white = Colour(0xFFFFFF)
    static let black = Colour(0x000000)

    /// The colour of a mood, for signs and for words that stand for it.
    static func of(_ tone: Tone) -> Colour {
        switch tone {
        case .ready: Colour(0x5CC8FF)
        case .working: Colour(0x8FB4FF)
        case .ask: Colour(0xFFD75E)
        case .success: Colour(0x4BE08A)
        case .failure: Colour(0xFF8080)
        case .trouble: Colour(0xFFB14A)
        }
    }
}

/// The colours of a key. The fill is dark enough for white words.
struct KeyColours: Sendable, Hashable {
    let fill: Colour
    let edge: Colour
    let text: Colour

    init(_ meaning: KioskView.KeyMeaning?) {
        switch meaning {
        case .yes: (fill, edge, text) = (Colour(0x0B5A31), Colour(0x1F9D57), .text)
        case .no, .danger: (fill, edge, text) = (Colour(0x8A1C1F), Colour(0xD0413F), .text)
        case .clear: (fill, edge, text) = (Colour(0xF2C230), Colour(0xF2C230), .ground)
        case nil: (fill, edge, text) = (.raised, .edge, .text)
        }
    }
}
