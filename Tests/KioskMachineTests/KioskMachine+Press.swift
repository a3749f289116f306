// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts

extension KioskMachine {
    /// A key outside a PIN and outside an access code.
    mutating func press(_ key: Key) -> [KioskAction] {
        switch key {
        case .digit(let digit): digitPressed(digit)
        case .enter: enterPressed()
        case .clear: clearPressed()
        case .back: backPressed()
        case .menu: menuPressed()
        case .character(let character): characterPressed(character)
        }
    }
}
