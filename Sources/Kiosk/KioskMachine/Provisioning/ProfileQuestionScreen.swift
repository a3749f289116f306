// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Shows whose profile it is and what it changes, page by page; the last OK applies it.
struct ProfileQuestionScreen: IdleScreen {
    let offer: ProfileOffer
    /// The profile itself.
    let handle: Handle
    /// The index of this page's first fact.
    var firstFact = 0
    /// The number of facts on a page. It is constant, so that OK agrees only to those that the person saw.
    let factsPerPage: Int

    var takesCodes: Bool { false }

    private var facts: [Prompt] {
        [
            Prompt(.profileOperator, [.name: DisplayText(offer.operatorName).description]),
            Prompt(.profileOperatorKey, [.number: offer.operatorKey]),
        ] + (offer.language.map { [Prompt(.languageChosen, [.name: DisplayText($0).description])] } ?? [])
            + offer.services.map { Prompt(.consentService, [.service: DisplayText($0).description]) }
            + offer.settings.map { Prompt(.profileSetting, [.name: DisplayText($0).description]) }
            + (offer.bringsFleetKey ? [Prompt(.profileFleetKey)] : [])
    }

    /// One fact at a time if not even a document fits: then the screen has only a few rows.
    init(offer: ProfileOffer, _ handle: Handle, _ kiosk: KioskMachine) {
        self.offer = offer
        self.handle = handle
        factsPerPage = kiosk.documentRoom == nil ? 1 : KioskMachine.pageLength
    }

    func show(_ kiosk: inout KioskMachine) -> [KioskAction] {
        kiosk.state = .idle(self)
        return [.startTimer(.typing, KioskTiming.reading, .none)]
    }

    func view(_ kiosk: KioskMachine) -> KioskView {
        let page = facts.dropFirst(firstFact).prefix(factsPerPage)
        let isLast = firstFact + page.count >= facts.count
        return KioskView(
            .setupQuestion, .ask, title: Prompt(.profileQuestionTitle), lines: Array(page), factCount: page.count,
            actions: [
                ViewAction(.enter, isLast ? .actionSetUp : .actionMore),
                ViewAction(.back, firstFact == 0 ? .actionCancel : .actionBack),
            ])
    }

    func pressed(_ key: KnownKey, _ kiosk: inout KioskMachine) -> [KioskAction] {
        switch key {
        case .enter where firstFact + factsPerPage < facts.count: return turned(by: factsPerPage).show(&kiosk)
        case .enter:
            kiosk.state = .idle(SettingUpScreen())
            return [.stopTimer(.typing), .applyProfile(handle)]
        case .back where firstFact > 0: return turned(by: -factsPerPage).show(&kiosk)
        case .back, .clear: return kiosk.dropProfile()
        case .digit, .pinDigit, .codeKey, .menu, .character: return []
        }
    }

    private func turned(by count: Int) -> ProfileQuestionScreen {
        var page = self
        page.firstFact = max(firstFact + count, 0)
        return page
    }

    func fired(_ timer: KioskTimer, _ kiosk: inout KioskMachine) -> [KioskAction] {
        timer == .typing ? kiosk.dropProfile() : []
    }
}
