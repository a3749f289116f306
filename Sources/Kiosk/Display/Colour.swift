// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A colour of the screen.
struct Colour: Sendable, Hashable {
    let red: UInt8
    let green: UInt8
    let blue: UInt8

    init(_ colour: ScreenStyle.Colour) {
        let parts = colour.parts
        (red, green, blue) = (parts[0], parts[1], parts[2])
    }

    private init(grey: UInt8) { (red, green, blue) = (grey, grey, grey) }

    static let ground = Colour(.ground)
    static let raised = Colour(.raised)
    static let edge = Colour(.edge)
    static let text = Colour(.text)
    static let quiet = Colour(.quiet)
    static let white = Colour(grey: 255)
    static let black = Colour(grey: 0)

    /// The colour of a mood, for signs and for words that stand for it.
    static func of(_ tone: Tone) -> Colour {
        switch tone {
        case .ready: Colour(.ready)
        case .working: Colour(.working)
        case .ask: Colour(.ask)
        case .success: Colour(.success)
        case .failure: Colour(.failure)
        case .trouble: Colour(.trouble)
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
        case .yes: (fill, edge, text) = (Colour(.yesGround), Colour(.yes), .text)
        case .no, .danger: (fill, edge, text) = (Colour(.noGround), Colour(.no), .text)
        case .clear: (fill, edge, text) = (Colour(.clear), Colour(.clear), Colour(.ink))
        case nil: (fill, edge, text) = (.raised, .edge, .text)
        }
    }
}
