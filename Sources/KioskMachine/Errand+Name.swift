// SPDX-License-Identifier: Apache-2.0

extension Errand {
    /// What settings (`menu.NAME`), cards and commands call it.
    public var name: String {
        switch self {
        case .login: "typed-code"
        case .oneTimePassword: "one-time-password"
        case .quickCode: "quick-code"
        case .localLogin: "door"
        case .identities: "identities"
        case .enrolment: "enrolment"
        case .verification: "verification"
        case .signing: "signing"
        }
    }

    /// - Returns: nil for a name that no errand has.
    public init?(named name: some StringProtocol) {
        guard let errand = Errand.allCases.first(where: { $0.name == name }) else { return nil }
        self = errand
    }
}
