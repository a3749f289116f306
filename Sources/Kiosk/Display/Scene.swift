// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// Everything on the panel for one view.
public struct Scene: Sendable, Equatable {
    let bounds: Rectangle
    var elements: [Shape] = []
    /// The places of keys.
    public var keys: [KeyPlace] = []
    public var leftOut: LeftOut = []
    /// Whether nobody is at the kiosk, so that a third of the light is enough.
    var isDim = false
    var look = ScreenLook.usual

    init(bounds: Rectangle) { self.bounds = bounds }

    /// The place of the camera's picture, if the view has one.
    public var previewPlace: Rectangle? {
        elements.lazy.compactMap { if case .preview(let place) = $0 { place } else { nil } }.first
    }

    /// The parts of the panel that differ from another scene, few and apart.
    public func damage(since old: Scene?) -> [Rectangle] {
        guard let old, old.bounds == bounds, old.isDim == isDim, old.look == look else { return [bounds] }
        let changed = elements.filter { !old.elements.contains($0) } + old.elements.filter { !elements.contains($0) }
        var parts: [Rectangle] = []
        for place in changed.compactMap({ $0.painted.intersection(bounds) }) {
            var whole = place
            while let index = parts.firstIndex(where: { $0.intersects(whole) }) {
                whole = whole.union(parts.remove(at: index))
            }
            parts.append(whole)
        }
        // Many small parts cost more than one large one.
        let isMost = parts.count > 12 || parts.reduce(0) { $0 + $1.area } > bounds.area / 2
        return isMost ? [bounds] : parts
    }
}

/// One thing on the panel. Later ones lie above earlier ones.
enum Shape: Sendable, Equatable {
    case words(Rectangle, Words)
    /// A filled part with round corners and an edge.
    case cell(Rectangle, fill: Colour, edge: Colour, radius: Int)
    case sign(Rectangle, Tone)
    /// Typed digits of a PIN, and places for more.
    case dots(Rectangle, count: Int, capacity: Int)
    case code(Rectangle, ModuleGrid)
    case preview(Rectangle)
    /// Thousandths of the time that is left.
    case bar(Rectangle, share: Int, Colour)
    case globe(Rectangle, Colour)
    /// The place of the next character.
    case caret(Rectangle)
    /// The sign of a key that takes a character away.
    case erase(Rectangle, Colour)

    var place: Rectangle {
        switch self {
        case .words(let place, _), .cell(let place, _, _, _), .sign(let place, _), .dots(let place, _, _),
            .code(let place, _), .preview(let place), .bar(let place, _, _), .globe(let place, _), .caret(let place),
            .erase(let place, _):
            place
        }
    }

    /// The part of the panel that it may colour: letters reach beyond their line, and edges are smoothed.
    var painted: Rectangle {
        if case .words(let place, let words) = self {
            place.inset(by: -words.style.size / 5)
        } else {
            place.inset(by: -2)
        }
    }
}

/// A text on the panel.
struct Words: Sendable, Equatable {
    enum Alignment: Sendable { case left, centre }

    let text: String
    let style: TextStyle
    let colour: Colour
    /// The colour behind it.
    var ground = Colour.ground
    var alignment = Alignment.left
}
