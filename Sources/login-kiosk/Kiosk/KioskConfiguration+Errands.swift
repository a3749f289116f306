// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import KioskMachine

extension KioskConfiguration {
    /// The entries of the menu: whatever the operator did not take out. The doors bring theirs by themselves.
    var errands: [Errand] {
        Errand.allCases.filter { errand in
            switch errand.menuEntry {
            case .ofDoors: true
            case .standard: text("menu.\(errand.name)") != "false"
            case .onceConfigured: text("menu.\(errand.name)").map { $0 == "true" } ?? hasSomethingToSign
            }
        }
    }

    /// Most services have no signing, so that it is offered only where the operator configured something to sign, or an
    /// application to sign for.
    private var hasSomethingToSign: Bool {
        setting("signing.application") != nil || !applications.isEmpty || !documents.isEmpty
    }
}
