// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import KioskCore

extension KioskConfiguration {
    /// The entries of the menu: whatever the operator did not take out.
    var errands: [Errand] {
        Errand.allCases.filter { errand in errand.setting.map { text($0) != "false" } ?? true }
    }
}

extension Errand {
    /// nil for what other settings bring into the menu.
    fileprivate var setting: String? {
        switch self {
        case .login: "menu.typed-code"
        case .oneTimePassword: "menu.one-time-password"
        case .quickCode: "menu.quick-code"
        case .localLogin: nil
        case .identities: "menu.identities"
        case .enrolment: "menu.enrolment"
        case .verification: "menu.verification"
        }
    }
}
