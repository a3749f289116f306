// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// MIRACL's JavaScript client as a server sees it: four versions as recorded, with a page that waits and a device.
struct ScriptClient: Sendable {
    enum Version: String, Sendable {
        /// 2022: `mfa-v2`, without client settings.
        case six = "6.3.0"
        /// 2023: an identity has a key; errors are nested.
        case seven = "7.4.0"
        /// January 2025: today's error codes, registration in steps.
        case eight = "8.5.0"
        /// September 2025: registration in one request.
        case today = "8.8.0"
    }

    let backend: RunningBackend
    let version: Version
    let dialect: Dialect
    let projectID: String
    let wire: Wire
    /// The client's identity, once it has registered.
    private var registered: Device?

    /// - Parameter origin: the origin of another site's web page, if the client runs in one.
    init(
        _ version: Version, _ dialect: Dialect, at backend: RunningBackend, projectID: String, origin: String? = nil
    ) {
        (self.version, self.dialect, self.backend, self.projectID) = (version, dialect, backend, projectID)
        wire = Wire(
            backend: backend.below("/" + dialect.rawValue),
            program: .script(version, projectID: projectID, origin: origin))
    }

    var device: Device { get throws { try #require(registered) } }

    func sendVerificationEmail(_ userID: String) async throws -> Reply {
        var members: [String: JSONValue] = ["userId": .string(userID), "deviceName": "Browser"]
        if version == .six {
            members.merge(["clientId": "shop", "redirectURI": "https://shop.example"]) { $1 }
        } else {
            members["projectId"] = .string(projectID)
        }
        if version == .six || version == .seven { return try await wire.send(.post, "/verification", members) }
        members["scope"] = .array([])
        return try await wire.send(.post, "/verification/email", members)
    }

    func confirm(_ userID: String, code: String) async throws -> Reply {
        try await wire.send(
            .post, "/verification/confirmation", ["userId": .string(userID), "code": .string(code)])
    }

    /// Registers through a mail's link.
    mutating func verifyAndRegister() async throws {
        let asked = try await sendVerificationEmail(Device.userID)
        try #require(asked.status == 200, "\(asked.text)")
        let link = try await backend.mailedPage()
        let fields = try #require(link.split(separator: "?").last.flatMap { FormFields($0) })
        let confirmed = try await confirm(Device.userID, code: try #require(fields["code"]))
        try await register(code: try #require(confirmed.object.string("actToken")))
    }

    mutating func register(code: String, pin: String = "1234") async throws {
        registered = try await Device.registered(dialect, Device.userID, pin: pin, code: code, over: wire)
    }

    /// Takes a new key with the token of a login.
    mutating func renew(_ offer: JSONObject?) async throws { registered = try await device.renewed(offer) }

    /// Opens a page's session: from 2020 to April 2024 by an authorization request, since then by the project's id.
    func fetchAccessID(_ authorization: String = "") async throws -> Reply {
        switch version {
        case .six, .seven: try await wire.send(.post, "/authorize?" + authorization, ["registerOnly": false])
        case .eight, .today: try await wire.send(.post, "/rps/v2/session", ["projectId": .string(projectID)])
        }
    }

    /// Opens a page that waits.
    func page(_ authorization: String = "") async throws -> (accessID: String, webOTT: String) {
        let session = try await fetchAccessID(authorization)
        try #require(session.status == 200, "\(session.text)")
        return (try #require(session.object.string("accessId")), try #require(session.object.string("webOTT")))
    }

    func fetchStatus(_ webOTT: String) async throws -> JSONObject {
        let reply = try await wire.send(.post, "/rps/v2/access", ["webOTT": .string(webOTT)])
        try #require(reply.status == 200)
        return reply.object
    }
}
