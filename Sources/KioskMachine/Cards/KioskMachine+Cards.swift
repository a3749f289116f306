// SPDX-License-Identifier: Apache-2.0

// A card that the operator printed, in front of the camera: it stands for keys that the person would press in the menu. So
// it begins nothing that the menu has not, says nothing about who it is, and is not used up.
extension KioskMachine {
    mutating func cardSeen(_ card: ErrandCard) -> [KioskAction] {
        guard errands.contains(card.errand) else { return refuse(.notOffered) }
        let leaving: [KioskAction] = asksForCode ? [.code(.wipe), .stopTimer(.tap)] : []
        let beginning: [KioskAction]
        if let name = card.place {
            guard let place = places(for: card.errand).firstIndex(of: name) else { return refuse(.notOffered) }
            beginning = [.stopTimer(.notice)] + serviceChosen(place, for: card.errand)
        } else {
            beginning = chooseService(for: card.errand)
        }
        restStep = nil
        return [.cardTaken(card.errand)] + leaving + beginning
    }
}
