// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostIntegration
import PersonalCards

extension KioskConfiguration {
    /// - Parameter hours: the lifetime of a temporary card; nil for the usual one.
    func cards(_ key: FleetKey, hours: Int? = nil) -> FleetCards {
        let lifetime = hours.map { $0 * 3600 } ?? self[\.cardLifetime] * 86_400
        return FleetCards(key: key, lifetime: Int64(lifetime)) { Int64(Date().timeIntervalSince1970) }
    }
}
