// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// One attempt to place a view with letters and gaps of one level.
struct PageDraft {
    let design: ScreenDesign
    let view: DisplayView
    let level: Level
    var scene: Scene

    var gap: Int { design.units(level.gap) }
    var bounds: Rectangle { design.bounds }
    var isPortrait: Bool { design.isPortrait }

    mutating func compose() {
        if !view.document.isEmpty { return document() }
        var keys = view.panelKeys
        let whole = bounds.inset(by: design.units(level.margin))
        let keyboard = design.isTouched ? view.keyboard : nil
        let hasPad = keyboard?.showsLetters == false
        if let keyboard {
            keys.removeAll { keyboard.replaces($0.content.role, isPortrait: isPortrait) }
            let label = hasPad ? keyboard.toLetters : isPortrait ? keyboard.toDigits : ""
            if !label.isEmpty { keys.append(.toOtherKeyboard(label)) }
        }
        if hasPad { return pad(keys) }
        if case .code(let grid) = view.entry, !isPortrait { return code(grid, keys, in: whole) }
        let list = view.stage == .menu ? keys.filter { $0.content.role == .digit } : []
        if !list.isEmpty { keys.removeAll { $0.content.role == .digit } }
        let area = put(KeyBar(self, keys, width: whole.width), belowIn: whole)
        if view.showsPreview {
            preview(in: area)
        } else if !list.isEmpty {
            menu(list, in: area)
        } else if let keyboard, keyboard.showsLetters {
            letters(keyboard, in: area)
        } else if case .code(let grid) = view.entry {
            codeBelow(grid, in: area)
        } else if view.isTold {
            told(in: area)
        } else {
            asked(in: area)
        }
    }

    /// Adds blocks to an area, or lists that they have no room.
    mutating func put(_ blocks: [Block], in area: Rectangle, isCentred: Bool = true) {
        if blocks.height > area.height || area.width < 2 * design.unit.whole {
            scene.leftOut.insert(view.factCount > 0 ? .facts : .words)
        }
        scene.elements += isCentred ? blocks.centred(in: area) : blocks.placed(in: area)
    }

    /// Adds keys at the lower edge of an area.
    ///
    /// - Returns: the area above them.
    mutating func put(_ bar: KeyBar, belowIn whole: Rectangle) -> Rectangle {
        if !bar.isWhole { scene.leftOut.insert(.words) }
        bar.place(atBottomOf: whole, &scene)
        let taken = bar.height + (bar.height > 0 ? design.units(.gap) : 0)
        return whole.dropping(bottom: taken)
    }
}

extension DisplayView.Keyboard {
    /// Whether a key does not stand below the keyboard.
    fileprivate func replaces(_ role: DisplayView.Key.Role, isPortrait: Bool) -> Bool {
        if showsLetters { return LetterPad.replaces(role, isPortrait: isPortrait) }
        // BACK repeats while it is held, so that CLEAR is needless.
        return role == .enter || role == .back || role == .clear || role == .menu && !toLetters.isEmpty
    }
}

extension DisplayView {
    var isCode: Bool { if case .code = entry { true } else { false } }

    /// Whether the person reads and does nothing but leave.
    var isTold: Bool {
        entry == nil && factCount == 0
            && (isBusy || stage == .outcome || [.success, .failure, .trouble, .working].contains(tone))
    }

    /// Whether the first two keys are the two answers to a question.
    var asksYesOrNo: Bool {
        entry == nil && keys.count >= 2 && keys[0].meaning != nil && [.enter, .back].contains(keys[1].role)
    }
}

extension Double {
    var whole: Int { Int(rounded()) }
}
