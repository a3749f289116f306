// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

/// The service and the code with which a session began.
struct SessionRequest: Sendable {
    let baseURL: WebAddress
    /// Host and port, or the line of the trust list, for records.
    let domain: String
    /// Nil for a task from the menu.
    var accessCode: AccessCode?
    /// Whether it is a failure that the server sends no further mail yet.
    var needsNewMail = false
    /// Whether the access code was typed by hand, so that a digit may be wrong.
    var isTyped = false
    /// The kiosk's own login, if the request is for one.
    var localLogin: LocalLogin?

    init(_ request: LoginRequest, isTyped: Bool) {
        self.init(at: request.baseURL, accessCode: request.accessCode)
        self.isTyped = isTyped
    }

    init(at service: WebAddress, accessCode: AccessCode? = nil) {
        baseURL = service
        // The host itself, because one line of the trust list may cover many.
        domain = service.origin.hostAndPort
        self.accessCode = accessCode
    }

    init(_ service: TypedService) {
        baseURL = service.address
        domain = service.name
    }

    init(_ login: LocalLogin) {
        baseURL = login.discovery
        domain = login.domain
        localLogin = login
    }

    /// The name in the audit log.
    var place: String { localLogin?.name ?? domain }
}

/// The description that a relying party's `/service` gives of itself.
struct ServiceOffer: Sendable, Equatable {
    let name: DisplayText
    let backendURL: WebAddress
    let rpsPrefix: String
    /// The service that named the backend; nil if the configuration did.
    let namedBy: Origin?
}
