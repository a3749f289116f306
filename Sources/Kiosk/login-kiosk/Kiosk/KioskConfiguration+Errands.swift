// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import KioskMachine

extension KioskConfiguration {
    /// The entries of the menu, and what cards alone begin: whatever the operator did not take out, and what the operator put
    /// in. The doors bring theirs by themselves.
    var errands: [Errand] {
        Errand.allCases.filter { errand in
            switch errand.menuEntry {
            case .ofDoors: true
            case .standard: text("menu.\(errand.name)") != "false"
            case .onceWanted: text("menu.\(errand.name)") != "false"
            case .onceConfigured: text("menu.\(errand.name)").map { $0 != "false" } ?? hasSomethingToSign
            }
        }
    }

    /// The errands that are not in the menu, but that a card begins.
    var cardErrands: Set<Errand> {
        Set(Errand.allCases.filter { $0.menuEntry != .ofDoors && text("menu.\($0.name)") == "card" })
    }

    /// Most services have no signing, so that it is offered only where the operator configured something to sign, or an
    /// application to sign for.
    private var hasSomethingToSign: Bool {
        setting("signing.application") != nil || !applications.isEmpty || !documents.isEmpty
    }
}
