// SPDX-License-Identifier: Apache-2.0

import GPIO
import KioskPorts
import Signage

extension SignalSettings {
    /// Makes the lamps and the buzzer, dark and silent.
    ///
    /// - Throws: when their lines are not available.
    func lamps() throws(LineError) -> any SignalOutput {
        let address: ChipAddress? = if let chip { ChipAddress(chip) } else { .usual }
        let addresses = parts.compactMap { LineAddress($0.line) }
        guard let address, addresses.count == parts.count else {
            throw LineError(
                .notFound, at: chip ?? "lights", problem: "no chip or line can have such a name",
                remedy: "take names of at most 31 bytes, or numbers")
        }
        let bank = try ChipFinder().request(addresses, on: address, lines, user: "login-kiosk lights")
        return LineLamps(bank, parts: parts.map(\.level))
    }
}
