// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import KioskCore

extension KioskConfiguration {
    /// The entries of the menu: whatever the operator did not take out.
    var errands: [Errand] { Errand.allCases.filter { text($0.setting) != "false" } }
}

extension Errand {
    fileprivate var setting: String {
        switch self {
        case .login: "menu.typed-code"
        case .oneTimePassword: "menu.one-time-password"
        case .quickCode: "menu.quick-code"
        case .identities: "menu.identities"
        case .enrolment: "menu.enrolment"
        case .verification: "menu.verification"
        }
    }
}
