// SPDX-License-Identifier: Apache-2.0

import KioskPorts

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
