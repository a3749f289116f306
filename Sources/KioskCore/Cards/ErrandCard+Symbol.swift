// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension ErrandCard {
    /// The card in front of the camera.
    ///
    /// - Returns: nil for any other code, and for one of several parts.
    public init?(_ symbol: Symbol) {
        guard symbol.parts == 1, let card = symbol.payload.withBytes({ ErrandCard(symbol: $0) }) else { return nil }
        self = card
    }
}
