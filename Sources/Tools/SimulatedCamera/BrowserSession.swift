// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoundationNetworking

/// One browser at one page, with cookies of its own that no other session sees and no disk keeps.
///
/// It follows at most five redirects and takes at most `maximumBody` bytes; a request ends after `timeout`
/// at the latest, a question that the server may hold after `questionTimeout`.
public final class BrowserSession: Sendable {
    /// The largest page or picture that is taken, in bytes.
    public static let maximumBody = 8 << 20
    public static let maximumRedirects = 5
    /// Seconds.
    public static let timeout = 10.0
    /// Seconds, as the page's script waits. The server holds a question for 25.
    public static let questionTimeout = 40.0

    /// The login page.
    public let page: URL

    private let session: URLSession
    private let fetches = BrowserFetches()

    /// - Throws: `invalidAddress` unless the page is http or https.
    public init(page: URL) throws(BrowserError) {
        guard let scheme = page.scheme?.lowercased(), ["http", "https"].contains(scheme), page.host?.isEmpty == false
        else {
            throw BrowserError(
                .invalidAddress, at: page.absoluteString, problem: "is no address of a web page",
                remedy: "give http://... or https://...")
        }
        self.page = page
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = BrowserSession.timeout
        configuration.timeoutIntervalForResource = BrowserSession.questionTimeout
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: fetches, delegateQueue: nil)
    }

    deinit {
        session.invalidateAndCancel()
    }

    /// Fetches what lies at an address, whatever its status is.
    public func get(_ address: URL) async throws(BrowserError) -> BrowserReply {
        try await send(URLRequest(url: address), to: address)
    }

    /// Forgets who the page takes it for, as a private window that is closed and opened again.
    public func forgetCookies() {
        guard let storage = session.configuration.httpCookieStorage else { return }
        for cookie in storage.cookies ?? [] { storage.deleteCookie(cookie) }
    }

    private func send(_ request: URLRequest, to address: URL) async throws(BrowserError) -> BrowserReply {
        let task = session.dataTask(with: request)
        let fetches = fetches
        let result: Result<BrowserReply, BrowserError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                fetches.begin(task, address: address) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            fetches.giveUp(task)
        }
        fetches.forget(task)
        return try result.get()
    }

    /// Asks how far the login of this browser is, as the page's script does. It completes the login, so ask until
    /// it says `authenticated`.
    ///
    /// - Parameter version: of the answer that is known: the server holds the question until there is another one.
    public func status(after version: String? = nil) async throws(BrowserError) -> BrowserStatus {
        let address = try address("/session")
        var question = URLRequest(
            url: version.map { address.appending(queryItems: [URLQueryItem(name: "after", value: $0)]) } ?? address)
        if version != nil { question.timeoutInterval = BrowserSession.questionTimeout }
        let reply = try await send(question, to: address)
        guard reply.status == 200, let status = try? JSONDecoder().decode(BrowserStatus.self, from: reply.body) else {
            throw BrowserError(
                .unexpectedReply, at: address.absoluteString, problem: "tells no login status (HTTP \(reply.status))",
                remedy: "check that the page is a login page of the reference backend")
        }
        return status
    }

    /// Fetches the page that only a logged-in browser may see.
    public func protectedPage() async throws(BrowserError) -> BrowserReply {
        try await get(try address("/protected"))
    }

    /// Ends the login of this browser, as the button of its page does.
    public func logOut() async throws(BrowserError) {
        let address = try address("/logout")
        var request = URLRequest(url: address)
        request.httpMethod = "POST"
        let reply = try await send(request, to: address)
        guard reply.status == 200 else {
            throw BrowserError(
                .unexpectedReply, at: address.absoluteString, problem: "does not log out (HTTP \(reply.status))",
                remedy: "check that the page is a login page of the reference backend")
        }
    }

    private func address(_ path: String) throws(BrowserError) -> URL {
        guard let address = URL(string: path, relativeTo: page)?.absoluteURL else {
            throw BrowserError(
                .invalidAddress, at: page.absoluteString, problem: "has no \(path)", remedy: "check the page's address")
        }
        return address
    }
}

/// The answer of a server.
public struct BrowserReply: Sendable {
    public let status: Int
    public let body: Data
    /// Where the body came from after redirects.
    public let address: URL
}

/// The answer of `GET /session` about this browser's login.
public struct BrowserStatus: Sendable, Equatable, Decodable {
    public enum State: String, Sendable, Decodable {
        case new, scanned, user, authenticated, expired
    }

    public let state: State
    /// The user's id, as soon as the page knows it.
    public let user: String?
    /// The name that tells the picture of the page from others; nil if the site does not say.
    public let picture: String?
    /// Whether a person has said no at the kiosk since the page was opened; nil if the site does not say.
    public let declined: Bool?
    /// The name that tells this answer from others; nil where the server holds no questions.
    public let version: String?
}
