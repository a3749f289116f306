// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import MPinCrypto
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// MIRACL's JavaScript client as a server sees it: the requests of four versions as recorded under node, header by
/// header and key by key, with the values of the present exchange.
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
    /// The path below the origin, with a leading slash.
    let base: String
    let projectID: String
    /// The origin of another site's web page, if the client runs in one.
    var origin: String?
    var mpinIDHex = ""
    var publicKeyHex: String?
    var dtas = ""
    var token: Token?

    init(_ version: Version, _ generation: PlatformGeneration, at backend: RunningBackend, projectID: String) {
        self.version = version
        self.backend = backend
        base = "/" + generation.rawValue
        self.projectID = projectID
    }

    /// - Parameters:
    ///   - path: the path below the project URL.
    ///   - body: JSON in this client's layout.
    func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> Reply {
        var lines = ["\(method) \(base)\(path)\(query(of: path)) HTTP/1.1", "X-MIRACL-CID: \(projectID)"]
        if version != .six { lines.append("X-MIRACL-CLIENT: MIRACL Client.js/\(version.rawValue)") }
        if let body { lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
        lines += ["Accept: */*"]
        if let origin { lines += ["Origin: \(origin)", "Sec-Fetch-Mode: cors", "Sec-Fetch-Site: cross-site"] }
        lines += ["Host: 127.0.0.1:\(backend.addresses.publicPort)", "Connection: keep-alive", "", body ?? ""]
        return try await RawExchange.send(
            lines.joined(separator: "\r\n"), port: backend.addresses.publicPort)
    }

    /// The query that a client in another site's page appends to every URL, even those of shares.
    private func query(of path: String) -> String {
        guard origin != nil else { return "" }
        return (path.contains("?") ? "&" : "?") + "project_id=" + projectID
    }

    func sendVerificationEmail(_ userID: String) async throws -> Reply {
        switch version {
        case .six:
            try await send(
                "POST", "/verification",
                #"{"userId":"\#(userID)","clientId":"shop","redirectURI":"https://shop.example","deviceName":"Browser"}"#
            )
        case .seven:
            try await send(
                "POST", "/verification",
                #"{"userId":"\#(userID)","projectId":"\#(projectID)","deviceName":"Browser"}"#)
        case .eight, .today:
            try await send(
                "POST", "/verification/email",
                #"{"userId":"\#(userID)","projectId":"\#(projectID)","deviceName":"Browser","scope":[]}"#)
        }
    }

    func confirm(_ userID: String, code: String) async throws -> Reply {
        try await send("POST", "/verification/confirmation", #"{"userId":"\#(userID)","code":"\#(code)"}"#)
    }

    /// Opens a page's session: from 2020 to April 2024 by an authorization request, since then by the project's id.
    func fetchAccessID(_ authorization: String = "") async throws -> Reply {
        switch version {
        case .six, .seven: try await send("POST", "/authorize?" + authorization, #"{"registerOnly":false}"#)
        case .eight, .today: try await send("POST", "/rps/v2/session", #"{"projectId":"\#(projectID)"}"#)
        }
    }

    func fetchStatus(_ webOTT: String) async throws -> JSONObject {
        let reply = try await send("POST", "/rps/v2/access", #"{"webOTT":"\#(webOTT)"}"#)
        try #require(reply.status == 200)
        return reply.object
    }
}
