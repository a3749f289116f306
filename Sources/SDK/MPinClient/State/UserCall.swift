// SPDX-License-Identifier: Apache-2.0

/// The calls that depend on an identity's state, and the table of states that allow them (docs/protocol/milagro.md,
/// section 8.2; docs/protocol/miracl.md, section 14). A call that is not allowed throws ``MPinError/Kind/misuse`` and
/// makes no request.
enum UserCall: String, CaseIterable {
    case startVerification, finishVerification
    case startRegistration, restartRegistration, setRegistrationToken, confirmRegistration, finishRegistration
    case startAuthentication, finishAuthentication, logout
    case startRegistrationDVS, finishRegistrationDVS, sign, changePIN

    /// - Parameter replacing: whether a finished registration may replace the identity. In the trust dialects it may:
    ///   there a new registration replaces a forgotten PIN, and each takes a code.
    func isAllowed(in state: UserState, replacing: Bool) -> Bool {
        switch (state, self) {
        case (.invalid, _) where startsAgain, (.startedVerification, _) where startsAgain: true
        case (.registered, _) where startsAgain && replacing, (.blocked, _) where startsAgain && replacing: true
        case (.startedRegistration, .restartRegistration), (.startedRegistration, .setRegistrationToken): true
        // If registrations take codes, only another code starts one again.
        case (.activated, .restartRegistration): !replacing
        case (.startedRegistration, .confirmRegistration), (.activated, .confirmRegistration): true
        case (.startedRegistration, .finishRegistration), (.activated, .finishRegistration): true
        case (.registered, .startAuthentication), (.registered, .finishAuthentication), (.registered, .logout): true
        case (.registered, .startRegistrationDVS), (.registered, .finishRegistrationDVS), (.registered, .sign): true
        case (.registered, .changePIN): true
        default: false
        }
    }

    /// Whether the call's effect is independent of the previous state.
    var startsAgain: Bool {
        switch self {
        case .startVerification, .finishVerification, .startRegistration: true
        default: false
        }
    }
}
