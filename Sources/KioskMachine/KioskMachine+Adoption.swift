// SPDX-License-Identifier: Apache-2.0

extension KioskMachine {
    /// The operator's choices were read again: they hold for the next session. Ignored while a person is served.
    ///
    /// - Parameters: as of ``init(trustsAnything:services:doors:errands:templates:policy:lostIdentities:)``.
    public mutating func adopt(
        trustsAnything: Bool, services: [String], errands: [Errand], policy: KioskPolicy
    ) -> [KioskAction] {
        guard isIdle else { return [] }
        self.services = services
        self.errands = KioskMachine.possible(errands, services: services, doors: doors)
        self.policy = policy
        switch (state, trustsAnything) {
        case (.untrusted, true):
            state = .scanning(notice: nil)
            return resumeCamera() + wake()
        case (.scanning, false):
            state = .untrusted
            restStep = nil
            return pauseCamera()
        default: return []
        }
    }

    /// What needs a service or a door is left out without one.
    static func possible(_ errands: [Errand], services: [String], doors: [DoorPlace]) -> [Errand] {
        let possible = errands.filter { errand in
            (!services.isEmpty || !errand.needsService) && (!doors.isEmpty || errand != .localLogin)
        }
        return Array(possible.prefix(menuCapacity))
    }
}
