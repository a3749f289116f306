// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

extension PageDraft {
    /// Places the view's key of a role, if the view has one.
    ///
    /// BACK shows a sign if it removes a character, or if its label has no room.
    func placeKey(_ role: DisplayView.Key.Role, in place: Rectangle, _ scene: inout Scene) {
        guard let key = view.panelKeys.first(where: { $0.content.role == role }) else { return }
        let small = KeyFace(key, self, isTight: true, label: design.smallKeyLabel)
        if role == .back, view.hasTyped || !small.fits(place) { return placeEraser(key.id, in: place, &scene) }
        placeKey(key, in: place, &scene)
    }

    func placeKey(_ key: PanelKey, in place: Rectangle, _ scene: inout Scene) {
        let usual = KeyFace(key, self, isTight: true)
        let small = KeyFace(key, self, isTight: true, label: design.smallKeyLabel)
        if !small.fits(place) { scene.leftOut.insert(.words) }
        (usual.fits(place) ? usual : small).place(in: place, &scene)
    }

    private func placeEraser(_ id: KeyPlace.Key, in place: Rectangle, _ scene: inout Scene) {
        let colours = KeyColours(nil, isFilled: true)
        scene.addKey(id, in: place, colours, radius: design.units(0.5))
        let height = min(design.units(1.5), place.height - 4, place.width - 4)
        scene.elements.append(.erase(place.centred(width: height * 3 / 2, height: height), colours.text))
    }
}

extension Scene {
    /// Adds a key with one line of text.
    mutating func addKey(
        _ id: KeyPlace.Key, _ text: String, style: TextStyle, in place: Rectangle, radius: Int, measure: PangoText
    ) {
        let colours = KeyColours(nil, isFilled: true)
        addKey(id, in: place, colours, radius: radius)
        let size = measure.size(of: text, style, width: nil)
        if size.width > place.width || size.height > place.height { leftOut.insert(.keys) }
        let words = Words(text: text, style: style, colour: colours.text, ground: colours.fill, alignment: .centre)
        elements.append(.words(place.centred(width: place.width, height: size.height), words))
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
