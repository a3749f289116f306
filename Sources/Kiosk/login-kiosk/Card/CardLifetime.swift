// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostIntegration
import PersonalCards

extension KioskConfiguration {
    /// The number of days in a text that a personal card is valid; nil when it is no such number.
    var cardLifetime: Int? {
        guard let days = Int(text("cards.lifetime") ?? "\(CardPeriod.usualLifetime)"),
            CardPeriod.lifetimes.contains(days)
        else { return nil }
        return days
    }

    /// - Parameter hours: the lifetime of a temporary card; nil for the usual one.
    func cards(_ key: FleetKey, hours: Int? = nil) -> FleetCards {
        let lifetime = hours.map { $0 * 3600 } ?? (cardLifetime ?? CardPeriod.usualLifetime) * 86_400
        return FleetCards(key: key, lifetime: Int64(lifetime)) { Int64(Date().timeIntervalSince1970) }
    }
}
