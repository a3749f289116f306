// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Asks for the service, or the door.
struct ServiceChoiceScreen: IdleScreen {
    let task: KioskTask
    var entry = TextEntry(capacity: 4)
    var hint: PromptKey?
    var page = 0

    func view(_ kiosk: KioskMachine) -> KioskView {
        let places = kiosk.places(for: task)
        let list = KioskMachine.lines(places.enumerated().map { ("\($0.offset + 1)", $0.element) }, page: page)
        var actions = [ViewAction(.enter, .actionOK), ViewAction(.back, .actionBack)]
        if KioskMachine.pageCount(of: places.count) > 1 { actions.append(ViewAction(.menu, .actionMore)) }
        let isDoor = task.rules.isDoneAtDoors
        return KioskView(
            .serviceChoice, .ask, title: Prompt(isDoor ? .doorChoiceTitle : .serviceChoiceTitle),
            lines: [Prompt(isDoor ? .doorChoiceHelp : .serviceChoiceHelp)] + list,
            hint: hint.map { Prompt($0) }, entry: .text(entry.text), actions: actions)
    }

    func pressed(_ key: KnownKey, _ kiosk: inout KioskMachine) -> [KioskAction] {
        var next = self
        next.hint = nil
        switch key {
        case .digit(let digit): next.entry.press(digit)
        case .clear: next.entry.removeAll()
        case .back where entry.isEmpty: return kiosk.leave()
        case .back: next.entry.removeLast()
        case .menu: next.page = (page + 1) % KioskMachine.pageCount(of: kiosk.places(for: task).count)
        case .enter:
            guard !entry.isEmpty else { return [] }
            if let number = Int(entry.text), kiosk.places(for: task).indices.contains(number - 1) {
                return kiosk.begin(task, at: number - 1)
            }
            next.entry.removeAll()
            next.hint = task.rules.isDoneAtDoors ? .doorNumberUnknown : .serviceUnknown
        case .pinDigit, .codeKey, .character: return []
        }
        kiosk.state = .idle(next)
        return [.startTimer(.typing, KioskTiming.typing, .none)]
    }

    func refused(
        _ remark: PromptKey, for refusal: CodeRefusal, _ duration: Duration, _ kiosk: inout KioskMachine
    ) -> [KioskAction] {
        guard refusal.isOfMenuCard else { return [] }
        var next = self
        next.hint = remark
        kiosk.state = .idle(next)
        return []
    }
}
