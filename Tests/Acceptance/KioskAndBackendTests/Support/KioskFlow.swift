// SPDX-License-Identifier: Apache-2.0

import MPinServer
import BackendTestKit
import BackendValues
import Encoding
import KioskMachine
import KioskPorts
import KioskTestKit
import MPinClient
import Testing

@testable import ReferenceBackend

/// A path through the kiosk to a PIN and beyond.
enum KioskFlow: String, Sendable {
    case login, oneTimePassword, otherDevice, localLogin, document, signingSession, signingKey, deletion

    /// The kiosk's message after a success; nil when it shows a code.
    var success: PromptKey? {
        switch self {
        case .login: .success
        case .oneTimePassword, .otherDevice: nil
        case .localLogin: .doorOpened
        case .document, .signingKey: .signed
        case .signingSession: .signedForSession
        case .deletion: .identityDeleted
        }
    }

    /// The requests before which an event may happen, in their order, each as a part of the path. Requests before the
    /// PIN that are repeated at every step are left out.
    func requests(_ client: OwnClient) -> [String] {
        let passes = ["pass1", "pass2", "/authenticate"]
        return switch self {
        case .login: client.dialect == .milagro ? ["timePermit"] + passes : passes
        case .oneTimePassword, .deletion: passes
        case .otherDevice: passes + (client.dialect.isTrust ? ["quickcode"] : [])
        case .localLogin: ["authzurl"] + passes + ["authtoken"]
        case .document: ["CreateDocumentHash"] + passes + ["VerifySignature"]
        case .signingSession: passes + [client.dialect == .trust2025 ? "codeStatus" : "dvs/session"]
        case .signingKey: passes + ["dvsregister", "clientSecret"]
        }
    }

    /// Whether a request comes before the PIN.
    static func isEarly(_ request: String) -> Bool {
        ["timePermit", "authzurl", "CreateDocumentHash"].contains(request)
    }

    /// Begins the flow at the idle kiosk.
    ///
    /// - Parameter event: called when everything outside of the kiosk is ready.
    /// - Returns: the page that waits for a login, if it takes part by more than polling.
    func begin(_ person: KioskPerson, _ client: OwnClient, _ event: () async throws -> Void) async throws -> Browser? {
        switch self {
        case .login where client.dialect.isClassic:
            let page = try await client.openPage()
            try await show(client.backend.addresses.publicURL + "#" + page.accessCode(), person, event)
            return page
        case .login, .signingSession: try await show(qrText(client), person, event)
        case .oneTimePassword: try await begin(.oneTimePassword, person, event)
        case .otherDevice: try await begin(.registrationCode, person, event)
        case .localLogin: try await begin(.localLogin, person, event)
        case .deletion: try await begin(.identities, person, event)
        case .document, .signingKey: try await begin(.signing, person, event)
        }
        return nil
    }

    private func show(_ code: String, _ person: KioskPerson, _ event: () async throws -> Void) async throws {
        try await event()
        try await person.screen.view(at: .scan)
        person.scanner.show(code)
    }

    private func begin(_ task: KioskTask, _ person: KioskPerson, _ event: () async throws -> Void) async throws {
        try await event()
        try await person.begin(task)
    }

    /// The text of the QR code of a platform page that waits for a login or a signature.
    private func qrText(_ client: OwnClient) async throws -> String {
        var members: [String: JSONValue] = ["projectId": .string(client.companyID)]
        if self == .signingSession {
            members.merge(["hash": .string(KioskSigningTests.hash), "description": "A debt of ten pounds"]) { $1 }
        }
        let reply = try await client.backend.client.post("/rps/v2/session", members)
        return try #require(reply.object.string("qrURL"))
    }
}
