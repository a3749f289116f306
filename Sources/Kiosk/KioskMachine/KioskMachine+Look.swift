// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// Large text and high contrast for one session: 7 on the scan screen shows one look after the other.
extension KioskMachine {
    var look: ScreenLook { chosenLook ?? policy.look }

    /// The key of the scan screen that changes the look. A person who listens has no use for its name, and the camera's
    /// picture needs the room.
    var lookActions: [ViewAction] {
        policy.offersLook && speech == nil ? [ViewAction(.digit(7), .actionLook)] : []
    }

    mutating func changeLook() -> [KioskAction] {
        chosenLook = look.next
        return wake()
    }
}
