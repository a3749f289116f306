// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A login at the kiosk itself: the person chooses a door from the menu or with its card, and logs in as for any
/// task. Then the door opens.
struct DoorTask: TaskRules {
    var name: String { "door" }
    var title: PromptKey { .taskLocalLogin }
    var menuEntry: MenuEntry { .ofDoors }
    var isDoneAtDoors: Bool { true }
    // A person at one door must not open another door unknowingly.
    func pinTitle(_ session: Session, _ identity: KioskIdentity) -> Prompt {
        Prompt(.doorPINTitle, [.name: session.door?.description ?? ""])
    }
    func pinPurpose(_ session: Session, _ identity: KioskIdentity) -> [Prompt] { [] }

    func proved(
        _ answer: StepAnswer, by identity: KioskIdentity, _ session: Session, _ kiosk: inout KioskMachine
    ) -> [KioskAction]? {
        guard case .taskDone = answer else { return nil }
        let line = session.serviceName.map { Prompt(.doorOpenedAt, [.service: $0]) }
        return kiosk.conclude(session, .doorOpened, Prompt(.doorOpened), line: line, stepIsOver: true)
    }
}

/// A door that a person can choose.
public struct DoorChoice: Hashable, Sendable {
    /// The operator's name for the door.
    public let name: String
    /// The line of the trust list that allows the door's server.
    public let domain: String

    public init(name: String, domain: String) {
        self.name = name
        self.domain = domain
    }
}
