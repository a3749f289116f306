// SPDX-License-Identifier: Apache-2.0

import KioskPorts

// A login at the kiosk itself: the person chooses a door from the menu or with its card, logs in as for any errand, and the
// door opens.
extension KioskMachine {
    /// Answer of `finishAuthentication` for a login at the kiosk itself: the person is logged in, and the door is open.
    public mutating func doorOpened(session number: SessionNumber) -> [KioskAction] {
        guard case .authenticating(let session, _) = state, session.number == number, session.purpose == .localLogin
        else { return [] }
        let line = session.serviceName.map { Prompt(.doorOpenedAt, [.service: $0]) }
        return conclude(session, .doorOpened, Prompt(.doorOpened), line: line, stepIsOver: true)
    }

    /// The names among which an errand's service is chosen: doors for a login at the kiosk itself, else services.
    func places(for errand: Errand) -> [String] { errand == .localLogin ? doors.map(\.name) : services }

    /// The line of the trust list that a place is at.
    func domain(of place: Int, for errand: Errand) -> String {
        errand == .localLogin ? doors[place].domain : services[place]
    }
}
