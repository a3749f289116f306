// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Letters, digits and signs for fingers over the full width, with the keys that end and undo an entry.
///
/// A row has twenty halves of a key. BACK removes a character, and goes back if there is none. CLEAR is not needed,
/// because BACK repeats. On a narrow panel the signs take a row of their own, and OK is below.
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
    /// The least height in which fingers find the keys.
    var leastHeight: Int { height(ofRows: Self.leastKey) }

    /// Heights of a key, in grid units.
    private static let leastKey = 2.2
    private static let usualKey = 3.4

    private var rowCount: Int { keyboard.rows.count + (hasDomains ? 1 : 0) }

    private func height(ofRows size: Double) -> Int { rowCount * page.design.units(size) + (rowCount - 1) * gap }

    /// Whether a key of the view is not below this keyboard, because the keyboard has it or makes it needless.
    static func replaces(_ role: DisplayView.Key.Role, isPortrait: Bool) -> Bool {
        role == .back || role == .clear || role == .menu || !isPortrait && role == .enter
    }

    func height(within room: Int) -> Int { min(height(ofRows: Self.usualKey), room) }

    func place(in area: Rectangle, _ scene: inout Scene) {
        let height = (area.height - gap * (rowCount - 1)) / rowCount
        guard height >= page.design.units(Self.leastKey) else {
            scene.leftOut.insert(.keys)
            return
        }
        var strip = Rectangle(x: area.x, y: area.y, width: area.width, height: height)
        if hasDomains {
            placeDomains(in: strip, &scene)
            strip.y += height + gap
        }
        var number = 0
        for row in rows {
            place(row, from: number, in: strip, &scene)
            number += row.characters.count
            strip.y += height + gap
        }
    }

    private func placeDomains(in strip: Rectangle, _ scene: inout Scene) {
        let design = page.design
        for (index, domain) in domains.enumerated() {
            let place = cell(index, index + 1, of: domains.count, in: strip)
            let fits = design.text.size(of: "@\(domain)", design.keyLabel, width: nil).width <= place.width - 2 * gap
            let number = keyboard.domains.firstIndex(of: domain) ?? index
            addKey(.domain(number), "@\(domain)", style: fits ? design.keyLabel : design.quiet, in: place, &scene)
        }
    }

    /// - Parameter number: the index of the row's first character on the keyboard.
    private func place(_ row: Row, from number: Int, in strip: Rectangle, _ scene: inout Scene) {
        func halves(_ first: Int, _ end: Int) -> Rectangle { cell(first, end, of: Row.halves, in: strip) }
        for (column, character) in row.characters.enumerated() {
            let start = row.indent + column * row.keyWidth
            let place = halves(start, start + row.keyWidth)
            addKey(.character(number + column), String(character), style: page.design.keyLabel, in: place, &scene)
        }
        if row.leadsToDigits, !keyboard.toDigits.isEmpty {
            page.placeKey(.toOtherKeyboard(keyboard.toDigits), in: halves(0, row.indent), &scene)
        }
        if let role = row.last { page.placeKey(role, in: halves(row.end, Row.halves), &scene) }
    }

    private func addKey(
        _ id: KeyPlace.Key, _ text: String, style: TextStyle, in place: Rectangle, _ scene: inout Scene
    ) {
        scene.addKey(
            id, text, style: style, in: place, radius: page.design.units(0.4), measure: page.design.text)
    }

    /// The cell over the parts `first..<end` of a strip of `count` equal parts, without the gap after it.
    private func cell(_ first: Int, _ end: Int, of count: Int, in strip: Rectangle) -> Rectangle {
        let left = strip.x + first * (width + gap) / count
        let right = strip.x + end * (width + gap) / count - gap
        return Rectangle(x: left, y: strip.y, width: right - left, height: strip.height)
    }
}

extension LetterPad {
    /// A row of characters, and the keys beside them.
    private struct Row {
        static let halves = 20

        let characters: String
        /// Halves of a key before the characters.
        let indent: Int
        /// Halves of a key for each character.
        var keyWidth = 2
        /// Whether the key for the digits stands before the characters.
        var leadsToDigits = false
        /// The key behind the characters.
        var last: DisplayView.Key.Role?

        var end: Int { indent + characters.count * keyWidth }
    }

    private var rows: [Row] {
        let signs = keyboard.rows.count - 1
        return keyboard.rows.enumerated().map { index, characters in
            switch (index, page.isPortrait) {
            case (signs, true): Row(characters: characters, indent: 0, keyWidth: 4)
            case (signs, false): Row(characters: characters, indent: 0, last: .enter)
            case (signs - 1, true): Row(characters: characters, indent: 0, last: .back)
            case (signs - 1, false): Row(characters: characters, indent: 3, leadsToDigits: true, last: .back)
            default: Row(characters: characters, indent: Row.halves / 2 - characters.count)
            }
        }
    }
}
