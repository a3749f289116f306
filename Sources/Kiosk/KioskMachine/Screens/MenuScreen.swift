// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Lists the tasks other than logging in a scanned browser.
struct MenuScreen: IdleScreen {
    private static let lastDigit = 9

    var page = 0
    var hint: PromptKey?

    func show(_ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.state = .idle(self)
        return [.stopTimer(.notice), .startTimer(.typing, KioskTiming.typing, .none)]
    }

    func view(_ kiosk: KioskMachine) -> KioskView {
        let first = page * KioskMachine.pageLength
        var actions = kiosk.menu.dropFirst(first).prefix(KioskMachine.pageLength).enumerated().map {
            ViewAction(.digit(UInt8(firstNumber(kiosk) + $0.offset)), $0.element.rules.title)
        }
        if KioskMachine.pageCount(of: kiosk.menu.count) > 1 { actions.append(ViewAction(.menu, .actionMore)) }
        actions.append(ViewAction(.back, .actionBack))
        return KioskView(
            .menu, .ask, title: Prompt(.menuTitle), lines: [Prompt(.menuHelp)], hint: hint.map { Prompt($0) },
            actions: actions)
    }

    /// The number of the page's first entry. One digit chooses, and each entry has the same number on every page. With
    /// more entries than digits the entries of each page are numbered from 1.
    private func firstNumber(_ kiosk: KioskMachine) -> Int {
        kiosk.menu.count > MenuScreen.lastDigit ? 1 : page * KioskMachine.pageLength + 1
    }

    private func entry(_ number: Int, _ kiosk: KioskMachine) -> KioskTask? {
        let isOfPage = kiosk.menu.count > MenuScreen.lastDigit
        guard number > 0, !isOfPage || number <= KioskMachine.pageLength else { return nil }
        let index = number - 1 + (isOfPage ? page * KioskMachine.pageLength : 0)
        return kiosk.menu.indices.contains(index) ? kiosk.menu[index] : nil
    }

    func pressed(_ key: KnownKey, _ kiosk: inout KioskMachine) -> [KioskAction] {
        switch key {
        case .digit(let digit):
            guard let task = entry(Int(digit), kiosk) else { return MenuScreen(page: page).show(&kiosk) }
            return kiosk.choosePlace(for: task)
        case .menu:
            return MenuScreen(page: (page + 1) % KioskMachine.pageCount(of: kiosk.menu.count)).show(&kiosk)
        case .back: return kiosk.leave()
        case .pinDigit, .codeKey, .enter, .clear, .character: return []
        }
    }

    /// Answers for a card that is held up at the menu; any other code may be in view by chance.
    func refused(
        _ remark: PromptKey, for refusal: CodeRefusal, _ duration: Duration, _ kiosk: inout KioskMachine
    ) -> [KioskAction] {
        if refusal.isOfMenuCard { kiosk.state = .idle(MenuScreen(page: page, hint: remark)) }
        return []
    }
}
