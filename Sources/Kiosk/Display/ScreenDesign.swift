// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The place of everything on a panel: two designs, landscape and portrait, from one description of sizes.
///
/// The unit is a 24th of the shorter side. Nothing is cut: when room is short, letters and gaps shrink to their
/// smallest sizes, then explaining lines go from the last, and at the end the scene lists what it leaves out. What OK
/// agrees to is shown whole or not at all.
public struct ScreenDesign {
    let bounds: Rectangle
    let unit: Double
    let isTouched: Bool
    /// The least height of a key in pixels: 64, and for fingers 15 mm on a panel that reports its size, as far as a
    /// pad has room.
    private(set) var fingerKey: Int
    let text: PangoText
    /// The factor of all letters.
    private var textScale = 1.0

    var isPortrait: Bool { bounds.height > bounds.width }
    var margin: Int { units(.margin) }

    /// - Parameter millimetres: the panel's own size. Zero, or a size that no panel has, is ignored.
    public init(
        width: Int, height: Int, settings: DisplaySettings, text: PangoText,
        millimetres: (width: Int, height: Int) = (0, 0)
    ) {
        bounds = Rectangle(x: 0, y: 0, width: width, height: height)
        unit = Double(min(width, height)) / ScreenStyle.shortSide * Double(settings.scale) / 100
        isTouched = settings.isTouched
        fingerKey = isTouched ? ScreenDesign.fingerKey(width, height, millimetres) : ScreenDesign.smallestKey
        self.text = text
    }

    private static let smallestKey = 64
    /// Millimetres of the least key for fingers.
    private static let fingerWidth = 15.0
    /// Pixels a millimetre that panels have, and the ratio of those across to those down.
    private static let (densities, ratios) = (1.5...20, 0.8...1.25)

    private static func fingerKey(_ width: Int, _ height: Int, _ own: (width: Int, height: Int)) -> Int {
        let (across, down) = (Double(width) / Double(max(own.width, 1)), Double(height) / Double(max(own.height, 1)))
        // Some panels report a ratio such as 16 x 9 instead of their size.
        guard densities ~= across, densities ~= down, ratios ~= across / down else { return smallestKey }
        // The largest key for which a pad has room.
        let most = min(width, height) * 2 / 11
        return max(smallestKey, min(Int((fingerWidth * max(across, down)).rounded(.up)), most))
    }

    func units(_ count: Double) -> Int { max(Int((count * unit).rounded()), 1) }
    func units(_ size: ScreenStyle.Size) -> Int { units(size.units) }

    /// Pixels of the smallest sentences and of the smallest labels, as they are on a panel of 800 x 480.
    static let leastBody = 24
    static let leastQuiet = 20

    func words(_ size: Double, atLeast least: Int, _ weight: Int = TextStyle.regular) -> TextStyle {
        let size = size * textScale
        return TextStyle(max(units(size), min((Double(least) * textScale).whole, units(size * 1.6))), weight)
    }
    /// The side of a sign beside a title of that size.
    func sign(beside title: Double) -> Int { units(title * textScale * 1.3) }
    /// The least side of a key, in pixels.
    var leastKey: Int { max(units(.key), fingerKey) }
    var body: TextStyle { words(ScreenStyle.Size.sentence.units, atLeast: Self.leastBody) }
    var quiet: TextStyle { words(1, atLeast: Self.leastQuiet) }
    var keyLabel: TextStyle {
        words(ScreenStyle.Size.sentence.units, atLeast: Self.leastBody, TextStyle.semibold)
    }
    /// The style of a key's label where the usual one has no room.
    var smallKeyLabel: TextStyle { words(1, atLeast: Self.leastQuiet, TextStyle.semibold) }
    var rowStyle: TextStyle { TextStyle(body.size, TextStyle.regular, .rows) }

    /// The scene of a view.
    ///
    /// - Parameter share: thousandths of the time that is left; nil when the view does not hurry.
    public func scene(of view: DisplayView, share: Int? = nil) -> Scene {
        var view = view
        if isTouched, view.keyboard != nil { view.lines.removeAll { $0.kind == .advice } }
        if view.look.hasLargeText {
            var large = self
            large.textScale = ScreenStyle.largeText
            let scene = large.fitted(view, share: share)
            // Large letters may leave out explanations, and nothing else.
            if scene.leftOut.isSubset(of: .explanations) { return scene }
        }
        return fitted(view, share: share)
    }

    private func fitted(_ view: DisplayView, share: Int?) -> Scene {
        var scene = Scene(bounds: bounds)
        scene.look = view.look
        if view.restStep != nil {
            rest(view, &scene)
            return scene
        }
        if let share {
            let bar = Rectangle(
                x: margin, y: bounds.bottom - units(0.6), width: bounds.width - 2 * margin, height: units(0.35))
            scene.elements.append(.bar(bar, share: share, .of(view.tone)))
        }
        let drafts = Level.all(for: view, isTouched: isTouched).lazy.map { draft(view, $0, on: scene) }
        if let whole = drafts.first(where: { $0.leftOut.isEmpty }) { return whole }
        if fingerKey > ScreenDesign.smallestKey {
            var denser = self
            denser.fingerKey = ScreenDesign.smallestKey
            return denser.scene(of: view, share: share)
        }
        // Drops quiet facts, then explaining lines, the last first, until the others have room.
        var shorter = view
        while shorter.lines.count > shorter.factCount {
            let rest = shorter.lines[shorter.factCount...]
            shorter.lines.remove(at: rest.lastIndex { $0.kind == .quiet } ?? rest.endIndex - 1)
            var draft = draft(shorter, Level.smallest, on: scene)
            if draft.leftOut.isDisjoint(with: [.facts, .words, .keys, .document, .code]) {
                draft.leftOut.insert(.explanations)
                return draft
            }
        }
        return excuse(view, draft(view, Level.smallest, on: scene).leftOut, on: scene)
    }

    /// A scene with a sentence in place of what has no room.
    private func excuse(_ view: DisplayView, _ missing: LeftOut, on scene: Scene) -> Scene {
        var substitute = DisplayView(view.stage, .trouble, title: view.excuses.facts)
        if !view.document.isEmpty { substitute.title = view.excuses.document }
        if case .code = view.entry { substitute.title = view.excuses.code }
        substitute.keys = view.keys
        var draft = draft(substitute, Level.smallest, on: scene)
        draft.leftOut.formUnion(missing)
        if view.factCount > 0 { draft.leftOut.insert(.facts) }
        return draft
    }

    private func draft(_ view: DisplayView, _ level: Level, on scene: Scene) -> Scene {
        var page = PageDraft(design: self, view: view, level: level, scene: scene)
        page.compose()
        // A name without a place to break would run over its neighbours.
        for case .words(let place, let words) in page.scene.elements
        where text.size(of: words.text, words.style, width: place.width).width > place.width {
            page.scene.leftOut.insert(view.factCount > 0 ? .facts : .words)
        }
        return page.scene
    }

    private func rest(_ view: DisplayView, _ scene: inout Scene) {
        scene.isDim = true
        let page = PageDraft(design: self, view: view, level: Level.usual[0], scene: scene)
        let width = bounds.width - 2 * margin - units(3)
        let blocks = [page.titleBlock(view.title, width: width)] + page.lineBlocks(width: width)
        let height = blocks.height
        let across = [0, units(1.5), units(3), units(1.5)]
        let down = 5
        let step = view.restStep ?? 0
        let free = max(bounds.height - 2 * margin - height, 0)
        let area = Rectangle(
            x: margin + across[step % across.count], y: margin + free * (step % down) / (down - 1),
            width: width, height: max(height, 1))
        scene.elements = blocks.placed(in: area)
    }

    /// The largest page of a document that has room on all its screens; nil when even the smallest has not.
    public var documentRoom: DocumentPageSize? {
        let page = DocumentLayout(self).page
        let cell = text.size(of: String(repeating: "m", count: 10), rowStyle, width: nil)
        let columns = min(page.width * 10 / max(cell.width, 1), 80)
        let rows = min(page.height / max(cell.height, 1), 24)
        let smallest = DocumentPageSize.smallest
        guard columns >= smallest.columns, rows >= smallest.rows else { return nil }
        return DocumentPageSize(columns: columns, rows: rows)
    }

    /// The largest QR code in modules, when each has three pixels.
    public var codeRoom: Int { min(codeSide / 3, ModuleGrid.mostModules) }

    /// Pixels for the side of a code.
    var codeSide: Int {
        isPortrait ? bounds.width - 2 * margin : bounds.height - 2 * margin - leastKey - units(.gap)
    }
}

/// Sizes of letters and gaps, from comfortable to tight.
struct Level {
    let title: Double
    let fact: Double
    let gap: Double
    let margin: Double
    /// Sentences.
    var body = ScreenStyle.Size.sentence.units

    static let usual = [
        Level(title: 2.1, fact: 1.6, gap: 0.75, margin: 1.5), Level(title: 1.8, fact: 1.45, gap: 0.6, margin: 1.5),
        Level(title: 1.5, fact: 1.25, gap: 0.45, margin: 1.2), smallest,
    ]
    static let smallest = Level(title: 1.3, fact: 1.25, gap: 0.3, margin: 0.9)
    /// The level for few words.
    private static let roomy = Level(title: 2.6, fact: 2.1, gap: 1, margin: 1.5, body: 1.6)

    /// Whether the title is larger than in the two tightest levels.
    var hasLargeTitle: Bool { title > 1.5 }

    /// The sizes of a title and of a fact, from this level's to the smallest.
    var titleSizes: [Double] { sizes(\.title) }
    var factSizes: [Double] { sizes(\.fact) }

    private func sizes(_ size: (Level) -> Double) -> [Double] {
        [size(self)] + Level.usual.map(size).filter { $0 < size(self) }
    }

    /// The levels of a view. Beside a picture, a pad, a list or a code letters have no room to grow.
    static func all(for view: DisplayView, isTouched: Bool) -> [Level] {
        let isTyped = isTouched && view.entry != nil
        let isFull = view.showsPreview || view.stage == .menu || view.isCode || !view.document.isEmpty || isTyped
        return isFull ? usual : [roomy] + usual
    }
}
