// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import QRWriting

/// A card as people see it: the code, and what it is for.
struct PrintedCard {
    let card: ErrandCard
    let caption: DisplayText
    let code: QRMatrix

    /// - Returns: nil when the text does not fit into a code, which that of a card does.
    init?(_ card: ErrandCard, caption: DisplayText) {
        guard let code = QRMatrix(card.text) else { return nil }
        self.card = card
        self.caption = caption
        self.code = code
    }
}
