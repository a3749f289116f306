// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import KioskMachine

extension KioskConfiguration {
    /// The entries of the menu and of cards: defaults that the operator did not remove, and those that the operator
    /// added. Doors add their own.
    var errands: [Errand] {
        Errand.allCases.filter { errand in
            switch errand.menuEntry {
            case .ofDoors: true
            case .standard, .onceWanted: self[\.menu[errand]] != .hidden
            case .onceConfigured: self[\.menu[errand]].map { $0 != .hidden } ?? hasSomethingToSign
            }
        }
    }

    /// The errands that only a card begins.
    var cardErrands: Set<Errand> {
        Set(Errand.allCases.filter { $0.menuEntry != .ofDoors && self[\.menu[$0]] == .card })
    }

    /// Most services have no signing. So it is offered only if the operator configured a document, or an application
    /// to sign for.
    private var hasSomethingToSign: Bool {
        setting(\.signing.application) != nil || !applications.isEmpty || !documents.isEmpty
    }
}
