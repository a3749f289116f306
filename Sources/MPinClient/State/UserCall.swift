// SPDX-License-Identifier: Apache-2.0

/// The calls that depend on an identity's state, and the one table of which state allows which (milagro protocol,
/// section 8.2). A call that is not allowed is a ``Status/flowError`` and makes no request.
enum UserCall: String, CaseIterable {
    case startRegistration, restartRegistration, confirmRegistration, finishRegistration
    case startAuthentication, finishAuthentication, logout

    func isAllowed(in state: UserState) -> Bool {
        switch (state, self) {
        case (.invalid, .startRegistration), (.startedVerification, .startRegistration): true
        case (.startedRegistration, .restartRegistration): true
        case (.startedRegistration, .confirmRegistration), (.activated, .confirmRegistration): true
        case (.startedRegistration, .finishRegistration), (.activated, .finishRegistration): true
        case (.registered, .startAuthentication), (.registered, .finishAuthentication), (.registered, .logout): true
        default: false
        }
    }
}
