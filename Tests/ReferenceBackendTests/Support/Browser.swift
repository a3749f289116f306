// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import Testing

@testable import ReferenceBackend

/// A browser with a cookie jar of one cookie.
final class Browser: Sendable {
    private let client: HTTPClient
    private let backend: RunningBackend
    private let cookie = Mutex<String?>(nil)

    init(_ backend: RunningBackend) {
        self.backend = backend
        client = backend.client
    }

    /// The code behind the picture on the page. Reading pictures is other rooms' business.
    func accessCode() async throws -> String {
        let value = cookie.withLock { $0 }?.split(separator: "=").last
        let token = try #require(value.flatMap { OneTimeToken($0) })
        let session = await backend.backend.relyingParty.sessions.value(for: token, now: backend.clock.now)
        return try #require(session?.attempt?.qrText.split(separator: "#").last.map(String.init))
    }

    /// As `accessCode`, of the page of a Trust project.
    func accessID(of project: TrustProject) async throws -> String {
        let site = try #require(
            backend.backend.platformSites.first { "/" + $0.mount.path == "/" + project.base.dropFirst() })
        let value = cookie.withLock { $0 }?.split(separator: "=").last
        let token = try #require(value.flatMap { OneTimeToken($0) })
        let known = await site.relyingParty.browsers.value(for: token, now: backend.clock.now)
        return try #require(known?.attempt?.qrText.split(separator: "#").last.map(String.init))
    }

    func get(_ path: String) async throws -> Reply {
        remember(try await client.get(path, headers: headers))
    }

    func post(_ path: String, _ members: [String: JSONValue]) async throws -> Reply {
        remember(try await client.post(path, members, headers: headers))
    }

    /// `state` and `user` of the login page's poll.
    func session() async throws -> [String] {
        let reply = try await get("/session")
        try #require(reply.status == 200)
        return [reply.object.string("state") ?? "", reply.object.string("user") ?? ""]
    }

    /// Polls until the page would go on.
    func waitForLogin() async throws -> String {
        while true {
            let session = try await session()
            if session[0] == "authenticated" { return session[1] }
            try #require(session[0] != "expired")
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private var headers: HTTPFields { cookie.withLock { $0.map { [.cookie: $0] } ?? [:] } }

    private func remember(_ reply: Reply) -> Reply {
        if let set = reply.headers[.setCookie], let pair = set.split(separator: ";").first {
            cookie.withLock { $0 = String(pair) }
        }
        return reply
    }
}
