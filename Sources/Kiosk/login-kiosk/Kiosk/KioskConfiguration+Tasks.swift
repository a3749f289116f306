// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import KioskMachine

extension KioskConfiguration {
    /// The entries of the menu and of cards: defaults that the operator did not remove, and those that the operator
    /// added. Doors add their own.
    var tasks: [KioskTask] {
        KioskTask.allCases.filter { task in
            switch task.menuEntry {
            case .ofDoors: true
            case .standard, .onceWanted: self[\.menu[task]] != .hidden
            case .onceConfigured: self[\.menu[task]].map { $0 != .hidden } ?? hasSomethingToSign
            }
        }
    }

    /// The tasks that only a card begins.
    var cardTasks: Set<KioskTask> {
        Set(KioskTask.allCases.filter { $0.menuEntry != .ofDoors && self[\.menu[$0]] == .card })
    }

    /// Most services have no signing. So it is offered only if the operator configured a document, or an application
    /// to sign for.
    private var hasSomethingToSign: Bool {
        setting(\.signing.application) != nil || !applications.isEmpty || !documents.isEmpty
    }
}
