// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import PersonalCards

extension Kiosk {
    /// The errand that a code in view asks for.
    ///
    /// A kiosk with a fleet's key believes the cards that were signed with it and no others: a sticker over the operator's
    /// card begins nothing. Without the key every card counts, as it begins nothing that the menu has not.
    ///
    /// - Returns: nil for a code that is no card.
    func errandCard(in symbol: Symbol) -> Result<ErrandCard, CodeRefusal>? {
        guard let card = ErrandCard(symbol) else { return nil }
        guard let cards else { return .success(card) }
        // Compared in the same time whatever they are.
        guard let wanted = cards.signature(ofErrandCard: card.unsignedText), let signature = card.signature,
            SecretBytes(copying: Array(wanted.utf8)) == SecretBytes(copying: Array(signature.utf8))
        else { return .failure(.foreignCard) }
        return .success(card)
    }
}
