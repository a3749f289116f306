// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Encoding
package import HTTPTypes
package import MPinCrypto
package import MPinServer
import ReferenceBackend
import Testing

/// A project URL of a running backend, and its requests.
package struct TrustProject: Sendable {
    package let backend: RunningBackend
    package let generation: PlatformGeneration
    /// The path prefix, empty at the origin.
    package let base: String
    package let id: String

    package static let generations: [PlatformGeneration] = [.trust2023, .trust2025]

    package init(_ generation: PlatformGeneration, at backend: RunningBackend, isOrigin: Bool = false) async throws {
        self.backend = backend
        self.generation = generation
        base = isOrigin ? "" : "/" + generation.rawValue
        let configuration = try await backend.client.get(base + "/.well-known/project-configuration")
        try #require(configuration.status == 200)
        id = try #require(configuration.object.string("id"))
    }

    package var url: String { backend.addresses.publicURL + base }

    package func post(_ path: String, _ members: [String: JSONValue], headers: HTTPFields = [:]) async throws -> Reply {
        try await backend.client.post(base + path, members, headers: headers)
    }

    package func post(_ path: String, _ members: [String: JSONValue], expecting status: Int) async throws -> JSONObject
    {
        try await send(.post, path, members, expecting: status)
    }

    package func send(
        _ method: HTTPRequest.Method, _ path: String, _ members: [String: JSONValue], expecting status: Int
    ) async throws -> JSONObject {
        let reply = try await backend.client.send(method, base + path, body: JSONObject(members).body)
        try #require(reply.status == status, "\(path): \(reply.text)")
        return reply.object
    }

    package func get(_ path: String, expecting status: Int) async throws -> JSONObject {
        let reply = try await backend.client.get(base + path)
        try #require(reply.status == status, "\(path): \(reply.text)")
        return reply.object
    }

    /// The share behind a D-TA's URL.
    package func share(_ url: String) async throws -> ClientSecretShare {
        try #require(url.hasPrefix(self.url + "/dta/"))
        let reply = try await get(String(url.dropFirst(self.url.count)), expecting: 200)
        return try ClientSecretShare(
            bytes: try #require(reply.string("dvsClientSecret").flatMap { Hexadecimal.bytes($0) }))
    }

    /// Asks for a mail.
    package func mail(to userID: String, mpinIDHex: String? = nil, accessID: String? = nil) async throws -> JSONObject {
        var body: [String: JSONValue] = [
            "projectId": .string(id), "userId": .string(userID), "deviceName": "kiosk",
        ]
        if let mpinIDHex { body["mpinId"] = .string(mpinIDHex) }
        if let accessID { body["accessId"] = .string(accessID) }
        return try await post("/verification/email", body, expecting: 200)
    }

    /// The code to type of the newest mail.
    package func newestCode() async throws -> String {
        try #require(try await backend.mails().first?.string("code"))
    }

    /// The code in the newest mail's link.
    package func newestLinkCode() async throws -> String {
        let link = try await backend.page(of: try await backend.mails().first)
        try #require(link.hasPrefix(url + "/verification/confirmation?"))
        return try #require(link.split(separator: "?").last.flatMap { FormFields($0) }?["code"])
    }

    package func confirm(_ userID: String, code: String) async throws -> Reply {
        try await post("/verification/confirmation", ["userId": .string(userID), "code": .string(code)])
    }

    /// An activation token for a user whose mail has arrived.
    package func verified(_ userID: String) async throws -> String {
        _ = try await mail(to: userID)
        let confirmed = try await confirm(userID, code: try await newestCode())
        return try #require(confirmed.object.string("actToken"))
    }

    /// Opens a browser session: access id and webOTT.
    package func session(
        _ members: [String: JSONValue] = [:], headers: HTTPFields = [:]
    ) async throws -> (accessID: String, webOTT: String) {
        let answer = try await post(
            "/rps/v2/session", ["projectId": .string(id)].merging(members) { $1 }, headers: headers)
        try #require(answer.status == 200, "\(answer.text)")
        let reply = answer.object
        let accessID = try #require(reply.string("accessId"))
        try #require(reply.string("qrURL") == url + "#" + accessID)
        try #require(reply.string("accessURL") == url + "/rps/v2/access")
        return (accessID, try #require(reply.string("webOTT")))
    }

    package func access(_ webOTT: String) async throws -> JSONObject {
        try await post("/rps/v2/access", ["webOTT": .string(webOTT)], expecting: 200)
    }

    package func report(_ status: String, accessID: String, userID: String? = nil) async throws -> Reply {
        var body: [String: JSONValue] = ["status": .string(status), "wid": .string(accessID)]
        if let userID { body["userId"] = .string(userID) }
        return try await post("/rps/v2/codeStatus", body)
    }
}

extension Reply {
    /// The error code of either generation.
    package var trustError: String? { object.string("error") ?? object.object("error")?.string("code") }

    package func trustContext(_ name: String) -> String? {
        (object.object("context") ?? object.object("error")?.object("context"))?.string(name)
    }
}
