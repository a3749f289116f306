// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import PersonalCards

extension Kiosk {
    /// The task of a card in view.
    ///
    /// A kiosk with a fleet key accepts only cards signed with it: a sticker over the operator's card begins nothing.
    /// Without the key it accepts every card, which begins nothing that the menu lacks.
    ///
    /// - Returns: nil for a code that is not a card.
    func menuCard(in symbol: Symbol) -> Result<MenuCard, CodeRefusal>? {
        guard let card = MenuCard(symbol) else { return nil }
        guard let cards else { return .success(card) }
        // Compares in constant time.
        guard let wanted = cards.signature(ofMenuCard: card.unsignedText), let signature = card.signature,
            SecretBytes(copying: Array(wanted.utf8)) == SecretBytes(copying: Array(signature.utf8))
        else { return .failure(.foreignCard) }
        return .success(card)
    }
}
