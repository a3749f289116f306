// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

extension PageDraft {
    /// Places the view's key of a role without the name of a keypad's key, if the view has one.
    func placeKey(_ role: DisplayView.Key.Role, in place: Rectangle, _ scene: inout Scene) {
        guard let (index, key) = view.keys.enumerated().first(where: { $0.element.role == role }) else { return }
        placeKey(index, DisplayView.Key(key.role, cap: "", label: key.label, meaning: key.meaning), in: place, &scene)
    }

    func placeKey(_ index: Int, _ key: DisplayView.Key, in place: Rectangle, _ scene: inout Scene) {
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
    mutating func addKey(
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
