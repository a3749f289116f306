// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// Letters, digits and signs for fingers over the full width, with the keys that end and undo an entry.
///
/// A row has twenty halves of a key. BACK takes a character away, and leads back where there is none; CLEAR is needless,
/// because BACK repeats. Where the panel is narrow the signs take a row of their own, and OK stands below.
struct LetterPad {
    private let page: PageDraft
    private let keyboard: DisplayView.Keyboard
    private let width: Int
    private let gap: Int
    private let domains: [String]

    /// - Parameter hasDomains: whether the keyboard has the row of domains, if there are any.
    init(_ page: PageDraft, _ keyboard: DisplayView.Keyboard, width: Int, hasDomains: Bool) {
        self.page = page
        self.keyboard = keyboard
        self.width = width
        let gap = page.design.units(0.3)
        self.gap = gap
        let count = max(keyboard.domains.count, 1)
        let room = (width - gap * (count - 1)) / count - 2 * gap
        domains = keyboard.domains.filter { domain in
            hasDomains && page.design.text.size(of: "@\(domain)", page.design.quiet, width: nil).width <= room
        }
    }

    var hasDomains: Bool { !domains.isEmpty }
    private var rowCount: Int { keyboard.rows.count + (hasDomains ? 1 : 0) }
    /// The least height in which fingers find the keys.
    var leastHeight: Int { rowCount * page.design.units(2.2) + (rowCount - 1) * gap }
    private var usualHeight: Int { rowCount * page.design.units(3.4) + (rowCount - 1) * gap }

    /// The keys of a view that do not stand below this keyboard: its own, and those that it makes needless.
    static func replaces(_ role: DisplayView.Key.Role, isPortrait: Bool) -> Bool {
        role == .back || role == .clear || role == .menu || !isPortrait && role == .enter
    }

    func height(within room: Int) -> Int { min(usualHeight, room) }

    func place(in area: Rectangle, _ scene: inout Scene) {
        let design = page.design
        let height = (area.height - gap * (rowCount - 1)) / rowCount
        guard height >= design.units(2.2) else {
            scene.leftOut.insert(.keys)
            return
        }
        var y = area.y
        /// The cell from one half of a key to another.
        func cell(_ first: Int, _ last: Int) -> Rectangle {
            let left = area.x + first * (width + gap) / 20
            return Rectangle(x: left, y: y, width: area.x + last * (width + gap) / 20 - gap - left, height: height)
        }
        for (index, domain) in domains.enumerated() {
            let all = domains.count
            let left = area.x + index * (width + gap) / all
            let place = Rectangle(
                x: left, y: y, width: area.x + (index + 1) * (width + gap) / all - gap - left, height: height)
            let fits = design.text.size(of: "@\(domain)", design.keyLabel, width: nil).width <= place.width - 2 * gap
            let number = keyboard.domains.firstIndex(of: domain) ?? index
            scene.addKey(.domain(number), "@\(domain)", fits ? design.keyLabel : design.quiet, in: place, design)
        }
        if hasDomains { y += height + gap }
        var number = 0
        for (index, row) in keyboard.rows.enumerated() {
            let isSigns = index == keyboard.rows.count - 1
            let isLast = index == keyboard.rows.count - 2
            let width = isSigns && page.isPortrait ? 4 : 2
            let indent = isSigns || isLast && page.isPortrait ? 0 : isLast ? 3 : 10 - row.count
            for (column, character) in row.enumerated() {
                let place = cell(indent + column * width, indent + (column + 1) * width)
                scene.addKey(.character(number), String(character), design.keyLabel, in: place, design)
                number += 1
            }
            let end = indent + row.count * width
            if isLast {
                if !keyboard.toDigits.isEmpty, !page.isPortrait {
                    let key = DisplayView.Key(.other, cap: "", label: keyboard.toDigits)
                    page.placeKey(.switching, key, in: cell(0, 3), &scene)
                }
                page.placeBack(in: cell(end, 20), &scene)
            } else if isSigns, !page.isPortrait {
                page.placeKey(.enter, in: cell(end, 20), &scene)
            }
            y += height + gap
        }
    }
}

extension PageDraft {
    /// Places the view's key of a role without the name of a keypad's key, if the view has one.
    func placeKey(_ role: DisplayView.Key.Role, in place: Rectangle, _ scene: inout Scene) {
        guard let (index, key) = view.keys.enumerated().first(where: { $0.element.role == role }) else { return }
        placeKey(index, DisplayView.Key(key.role, cap: "", label: key.label, meaning: key.meaning), in: place, &scene)
    }

    fileprivate func placeKey(_ index: Int, _ key: DisplayView.Key, in place: Rectangle, _ scene: inout Scene) {
        let usual = KeyFace(index, key, self, isTight: true)
        let small = KeyFace(index, key, self, isTight: true, label: design.smallKeyLabel)
        if !small.fits(place) { scene.leftOut.insert(.words) }
        (usual.fits(place) ? usual : small).place(in: place, &scene)
    }

    /// BACK: a sign where it takes a character away, its label where it leads back and has room.
    func placeBack(in place: Rectangle, _ scene: inout Scene) {
        guard let index = view.keys.firstIndex(where: { $0.role == .back }) else { return }
        let plain = DisplayView.Key(.back, cap: "", label: view.keys[index].label, meaning: view.keys[index].meaning)
        let small = design.smallKeyLabel
        if !view.hasTyped, KeyFace(index, plain, self, isTight: true, label: small).fits(place) {
            return placeKey(index, plain, in: place, &scene)
        }
        let colours = KeyColours(nil, isFilled: true)
        scene.elements.append(.cell(place, fill: colours.fill, edge: colours.edge, radius: design.units(0.5)))
        let side = min(design.units(1.5), place.height - 4, place.width - 4)
        scene.elements.append(
            .erase(
                Rectangle(
                    x: place.x + (place.width - side * 3 / 2) / 2, y: place.y + (place.height - side) / 2,
                    width: side * 3 / 2, height: side), colours.text))
        scene.keys.append(
            KeyPlace(.ofView(index), x: place.x, y: place.y, width: place.width, height: place.height))
    }
}

extension Scene {
    /// Adds a key with one line of text.
    fileprivate mutating func addKey(
        _ key: KeyPlace.Key, _ text: String, _ style: TextStyle, in place: Rectangle, _ design: ScreenDesign
    ) {
        let colours = KeyColours(nil, isFilled: true)
        elements.append(.cell(place, fill: colours.fill, edge: colours.edge, radius: design.units(0.4)))
        let size = design.text.size(of: text, style, width: nil)
        if size.width > place.width || size.height > place.height { leftOut.insert(.keys) }
        elements.append(
            .words(
                Rectangle(
                    x: place.x, y: place.y + (place.height - size.height) / 2, width: place.width,
                    height: size.height),
                Words(text: text, style: style, colour: colours.text, ground: colours.fill, alignment: .centre)))
        keys.append(KeyPlace(key, x: place.x, y: place.y, width: place.width, height: place.height))
    }

    /// The scene while a finger is on a key: its cell is filled.
    public func touched(at key: KeyPlace.Key?) -> Scene {
        guard let place = keys.first(where: { $0.key == key }) else { return self }
        let whole = Rectangle(x: place.x, y: place.y, width: place.width, height: place.height)
        var scene = self
        for (index, element) in elements.enumerated() {
            guard case .cell(whole, let fill, _, let radius) = element else { continue }
            let isPlain = fill == KeyColours(nil, isFilled: true).fill
            scene.elements[index] = .cell(whole, fill: isPlain ? .edge : fill, edge: .text, radius: radius)
        }
        return scene
    }
}

extension Int {
    /// The place of the key that shows the other keyboard, among the keys of a view.
    static let switching = -1
}

extension DisplayView {
    /// Whether there is a character to take away.
    var hasTyped: Bool {
        switch entry {
        case .masked(let count, _): count > 0
        case .text(let text): !text.isEmpty
        case .digits, .code, nil: false
        }
    }
}
