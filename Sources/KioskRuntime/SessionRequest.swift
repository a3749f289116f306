// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// What a session began with.
struct SessionRequest: Sendable {
    let baseURL: WebAddress
    /// nil for an errand from the menu.
    let accessCode: AccessCode?
    /// Whether the access code was typed by hand, so that it may have a wrong digit.
    let isTyped: Bool
    /// Which of the kiosk's own logins it is for, if it is for one.
    let localLogin: Int?

    init(_ request: LoginRequest, isTyped: Bool) {
        baseURL = request.baseURL
        accessCode = request.accessCode
        self.isTyped = isTyped
        localLogin = nil
    }

    init(_ service: TypedService) {
        baseURL = service.address
        accessCode = nil
        isTyped = false
        localLogin = nil
    }

    /// - Parameter place: its number.
    init(_ login: LocalLogin, place: Int) {
        baseURL = login.discovery
        accessCode = nil
        isTyped = false
        localLogin = place
    }
}
