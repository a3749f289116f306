// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A colour of the screen, and the one that replaces it in high contrast.
struct Colour: Sendable, Hashable {
    /// Red, green and blue, from 0 to 255.
    struct Light: Sendable, Hashable {
        let red: UInt8
        let green: UInt8
        let blue: UInt8

        fileprivate init(_ parts: [UInt8]) { (red, green, blue) = (parts[0], parts[1], parts[2]) }
    }

    let usual: Light
    let high: Light

    /// - Parameter high: the colour whose form for high contrast is used; nil for the same colour.
    init(_ colour: ScreenStyle.Colour, high: ScreenStyle.Colour? = nil) {
        usual = Light(colour.parts())
        self.high = Light((high ?? colour).parts(highContrast: true))
    }

    private init(grey: UInt8) {
        usual = Light([grey, grey, grey])
        high = usual
    }

    func light(_ look: ScreenLook) -> Light { look.hasHighContrast ? high : usual }

    static let ground = Colour(.ground)
    static let raised = Colour(.raised)
    static let edge = Colour(.edge)
    static let cap = Colour(.cap)
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

/// The colours of a key. The fill is dark enough for white words. In high contrast each key is yellow.
struct KeyColours: Sendable, Hashable {
    let fill: Colour
    let edge: Colour
    let text: Colour
    /// The colours of the cap behind a key's name, of its border and of the name.
    let cap: Colour
    let capEdge: Colour
    let capText: Colour

    /// - Parameters:
    ///   - isFilled: whether the whole key has the colour of what it means, not the key's name alone.
    ///   - isThird: whether it is beside an answer to a question.
    init(_ meaning: KioskView.KeyMeaning?, isFilled: Bool, isThird: Bool = false) {
        let words = Colour(.text, high: .ink)
        let filled: (fill: Colour, edge: Colour, text: Colour) =
            switch meaning {
            case .yes: (Colour(.yesGround), Colour(.yes), words)
            case .no, .danger: (Colour(.noGround), Colour(.no), words)
            case .clear: (Colour(.clear), Colour(.clear), Colour(.ink))
            case nil: (Colour(.raised, high: .clear), Colour(.edge, high: .clear), words)
            }
        if isFilled {
            (fill, edge, text) = filled
            (cap, capText) = (filled.fill, filled.text)
            capEdge = meaning == .clear ? Colour(.ink) : Colour(.quiet, high: .ink)
        } else {
            fill = isThird ? Colour(.ground, high: .clear) : Colour(.raised, high: .clear)
            edge = Colour(.edge, high: .clear)
            text = words
            let plain = meaning == nil
            cap = plain ? fill : filled.fill
            capEdge = plain ? Colour(.quiet, high: .ink) : Colour(meaning == .clear ? .clear : .edge, high: .ink)
            capText = plain ? words : filled.text
        }
    }
}
