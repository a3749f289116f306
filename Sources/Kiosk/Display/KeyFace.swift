// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The words of a key, and the name by which a touch reports it.
struct PanelKey {
    let id: KeyPlace.Key
    let content: DisplayView.Key

    /// The key that shows letters in place of digits, or digits in place of letters.
    static func toOtherKeyboard(_ label: String) -> PanelKey {
        PanelKey(id: .otherKeyboard, content: DisplayView.Key(.other, cap: "", label: label))
    }
}

extension DisplayView {
    var panelKeys: [PanelKey] { keys.enumerated().map { PanelKey(id: .ofView($0.offset), content: $0.element) } }
}

/// One key as it is drawn: its name on the keypad, its label, its colours.
struct KeyFace {
    let key: PanelKey
    private let design: ScreenDesign
    private let label: TextStyle
    private let colours: KeyColours
    /// The key's name on a keypad, which fingers on a panel do not need.
    private let cap: String
    private let padding: Int
    private let capSize: TextSize
    private let capWidth: Int
    private let globe: Int
    private let text: String

    /// - Parameters:
    ///   - isTight: whether it stands in a pad.
    ///   - isThird: whether it is beside the two answers to a question.
    ///   - label: the style of its label, if it is not the usual one.
    init(
        _ panelKey: PanelKey, _ page: PageDraft, isTight: Bool = false, isThird: Bool = false,
        label: TextStyle? = nil
    ) {
        let (key, design) = (panelKey.content, page.design)
        self.key = panelKey
        self.design = design
        padding = design.units(isTight ? 0.2 : 0.45)
        self.label = label ?? design.keyLabel
        text = Wording.prepared(key.label, self.label, width: design.bounds.width, design.text)
        // Touched keys need no names, except the numbers of entries: people may say them.
        cap = isTight || design.isTouched && key.role != .digit ? "" : KeyFace.signs[key.cap] ?? key.cap
        capSize = cap.isEmpty ? TextSize(width: 0, height: 0) : design.text.size(of: cap, design.quiet, width: nil)
        capWidth = cap.isEmpty ? 0 : max(capSize.width + design.units(0.7), capSize.height)
        globe = key.isLanguage ? self.label.size : 0
        // Leaving is not an answer where nothing is asked.
        let meaning = key.meaning == .no && !page.view.asksYesOrNo ? nil : key.meaning
        let isFilled = !isThird && (design.isTouched || meaning.map { $0 != .clear } ?? false)
        colours = KeyColours(meaning, isFilled: isFilled, isThird: isThird)
    }

    /// Signs of a keyboard's keys, which are shorter than their names.
    private static let signs = ["Enter": "⏎", "Backspace": "⌫", "Tab": "⇥"]

    private var space: Int { design.units(0.4) }
    private var beside: Int { (capWidth > 0 ? capWidth + space : 0) + (globe > 0 ? globe + space : 0) }

    /// The least width at which the label stands untorn in two lines.
    var leastWidth: Int {
        func width(_ words: [Substring]) -> Int {
            design.text.size(of: words.joined(separator: " "), label, width: nil).width
        }
        let words = text.split(separator: " ")
        let halves = (0..<max(words.count, 1)).map { max(width(Array(words[..<$0])), width(Array(words[$0...]))) }
        return (halves.min() ?? 0) + 1 + 2 * padding + beside
    }

    /// The height that the key needs at a width, and whether it holds its words untorn in two lines.
    func fit(width: Int) -> (height: Int, isWhole: Bool) {
        let room = width - 2 * padding - beside
        guard room > 0 else { return (design.leastKey, false) }
        let size = design.text.size(of: text, label, width: room)
        let line = design.text.size(of: "X", label, width: nil).height
        let isWhole = size.height <= 2 * line + 2 && !design.text.tears(text, label, width: room)
        return (max(design.leastKey, size.height + design.units(0.8)), isWhole)
    }

    /// Whether a place has room for the words, untorn.
    func fits(_ place: Rectangle) -> Bool {
        let room = max(place.width - 2 * padding - beside, 1)
        return fit(width: place.width).isWhole
            && design.text.size(of: text, label, width: room).height <= place.height
    }

    /// - Parameter isListed: whether it is an entry of a list, whose words begin at the left.
    func place(in place: Rectangle, _ scene: inout Scene, isListed: Bool = false) {
        scene.addKey(key.id, in: place, colours, radius: design.units(0.5))
        let room = max(place.width - 2 * padding - beside, 1)
        let size = design.text.size(of: text, label, width: room)
        var x = isListed ? place.x + padding : place.x + (place.width - beside - size.width) / 2
        /// Takes the place of the next part, from left to right.
        func next(width: Int, height: Int) -> Rectangle {
            defer { x += width + space }
            return Rectangle(x: x, y: place.y + (place.height - height) / 2, width: width, height: height)
        }
        if capWidth > 0 {
            let square = next(width: capWidth, height: capSize.height + 4)
            let name = Words(
                text: cap, style: design.quiet, colour: colours.capText, ground: colours.cap, alignment: .centre)
            scene.elements += [
                .cell(square, fill: colours.cap, edge: colours.capEdge, radius: design.units(0.25)),
                .words(square.inset(1, 1), name),
            ]
        }
        if globe > 0 { scene.elements.append(.globe(next(width: globe, height: globe), colours.text)) }
        let words = Words(text: text, style: label, colour: colours.text, ground: colours.fill)
        scene.elements.append(.words(next(width: size.width + 1, height: size.height), words))
    }
}

extension Scene {
    /// Adds the cell of a key.
    mutating func addKey(_ id: KeyPlace.Key, in place: Rectangle, _ colours: KeyColours, radius: Int) {
        elements.append(.cell(place, fill: colours.fill, edge: colours.edge, radius: radius))
        keys.append(KeyPlace(id, x: place.x, y: place.y, width: place.width, height: place.height))
    }
}
