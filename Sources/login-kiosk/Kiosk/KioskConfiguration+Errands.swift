// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import KioskMachine

extension KioskConfiguration {
    /// The entries of the menu: whatever the operator did not take out.
    var errands: [Errand] {
        Errand.allCases.filter { errand in errand.setting.flatMap { text($0) }.map { $0 == "true" } ?? isOffered(errand)
        }
    }

    /// For an errand that the operator has not set. Most services have no signing, so that it is offered only where the
    /// operator configured something to sign, or an application to sign for.
    private func isOffered(_ errand: Errand) -> Bool {
        errand != .signing || setting("signing.application") != nil || !applications.isEmpty || !documents.isEmpty
    }
}

extension Errand {
    /// nil for what other settings bring into the menu.
    fileprivate var setting: String? { self == .localLogin ? nil : "menu.\(name)" }
}
