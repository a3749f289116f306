// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
package import Encoding
import HTTPTypes
import MPinServer
import ReferenceBackend
import Synchronization
import Testing

/// A browser. It stores cookies by name and sends them everywhere, because all cookies of this backend have different
/// names.
package final class Browser: Sendable {
    private let client: HTTPClient
    private let backend: RunningBackend
    private let cookies = Mutex<[String: String]>([:])
    /// The path prefix of the provider's last opened page.
    private let lastPage = Mutex("")

    package init(_ backend: RunningBackend) {
        self.backend = backend
        client = backend.client
    }

    /// The path prefix of every request.
    package var base: String { backend.base }

    /// The same page before it learns what this one will.
    /// - Parameter other: the process it asks; nil for the same.
    package func copy(at other: RunningBackend? = nil) -> Browser {
        let copy = Browser(other ?? backend)
        let known = known
        copy.cookies.withLock { $0 = known }
        let page = lastPage.withLock { $0 }
        copy.lastPage.withLock { $0 = page }
        return copy
    }

    /// A path of the provider's last opened page, relative to this browser's endpoint.
    package func authorization(_ step: String) -> String { lastPage.withLock { $0 } + step }

    /// The cookies by name.
    package var known: [String: String] { cookies.withLock { $0 } }

    /// The code of the picture on the page, without reading the picture.
    package func accessCode() async throws -> String {
        let site = try #require(backend.backend.classicSites.first { $0.mount.base == backend.base })
        return try await code(on: site.browsers, site.mount.cookie())
    }

    /// As `accessCode`, for the page of a Trust project.
    package func accessID(of project: TrustProject) async throws -> String { try await accessID(below: project.base) }

    package func accessID(below base: String) async throws -> String {
        let site = try #require(backend.backend.platformSites.first { $0.mount.base == base })
        return try await code(on: site.browsers, site.mount.cookie())
    }

    /// As `accessCode`, for any dialect's page.
    package func anyCode(below base: String) async throws -> String {
        guard let site = backend.backend.classicSites.first(where: { $0.mount.base == base }) else {
            return try await accessID(below: base)
        }
        return try await code(on: site.browsers, site.mount.cookie())
    }

    /// As `accessCode`, for the page of the OpenID provider below `base`.
    package func authorizationCode(below base: String) async throws -> String {
        let sites = backend.backend
        let openID = try #require(
            sites.classicSites.first { $0.mount.base == base }?.openID
                ?? sites.platformSites.first { $0.mount.base == base }?.openID)
        let page = authorization("").split(separator: "/").last.flatMap { AuthorizationPageName($0) }
        return try await code(on: openID.login.browsers, try #require(page).cookie(of: openID.login.mount))
    }

    private func code(on site: BrowserSessions, _ cookie: SiteCookie) async throws -> String {
        let name = try await cookie.fullName
        let value = try #require(cookies.withLock { $0[name] })
        let attempt = site.attempt(of: BrowserCookie(value))
        return try #require(attempt?.qrText.split(separator: "#").last.map(String.init))
    }

    package func get(_ path: String) async throws -> Reply {
        remember(try await client.get(path, headers: headers))
    }

    /// Follows a redirect within this backend.
    package func follow(_ reply: Reply) async throws -> Reply {
        try #require((301...308).contains(reply.status))
        let location = try #require(reply.headers[.location])
        let origin = backend.addresses.publicURL
        try #require(location.hasPrefix("/") || location.hasPrefix(origin + "/"))
        return try await get(location.hasPrefix("/") ? location : String(location.dropFirst(origin.count)))
    }

    package func post(_ path: String, _ members: [String: JSONValue]) async throws -> Reply {
        remember(try await client.post(path, members, headers: headers))
    }

    /// Sends a form of this backend's page.
    package func submit(_ path: String, _ fields: [(name: String, value: String)], origin: String? = nil) async throws
        -> Reply
    {
        var headers = headers
        headers[.origin] = origin ?? backend.addresses.publicURL
        return remember(try await client.submit(path, fields, headers: headers))
    }

    /// `state` and `user` of the login page's poll.
    package func session() async throws -> [String] {
        let reply = try await get("/session")
        try #require(reply.status == 200)
        return [reply.object.string("state") ?? "", reply.object.string("user") ?? ""]
    }

    /// Polls until the page would continue.
    /// - Parameter path: the path of the poll.
    package func waitForLogin(_ path: String = "/session") async throws -> String {
        while true {
            let reply = try await get(path)
            try #require(reply.status == 200)
            if reply.object.string("state") == "authenticated" { return reply.object.string("user") ?? "" }
            try #require(reply.object.string("state") != "expired")
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private var headers: HTTPFields {
        let pairs = cookies.withLock { $0.map { $0.key + "=" + $0.value } }
        return pairs.isEmpty ? [:] : [.cookie: pairs.joined(separator: "; ")]
    }

    private func remember(_ reply: Reply) -> Reply {
        for cookie in reply.headers[values: .setCookie] {
            let pair = cookie.split(separator: ";").first?.split(separator: "=", maxSplits: 1)
            if let pair, pair.count == 2 { cookies.withLock { $0[String(pair[0])] = String(pair[1]) } }
        }
        if reply.headers[.contentType]?.hasPrefix("text/html") == true,
            let page = reply.text.firstMatch(of: /data-root="([^"]*\/authorize\/[0-9a-f]+\/)"/)?.1,
            page.hasPrefix(backend.base)
        {
            lastPage.withLock { $0 = String(page.dropFirst(backend.base.count)) }
        }
        return reply
    }
}
