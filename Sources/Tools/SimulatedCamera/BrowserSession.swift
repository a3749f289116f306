// SPDX-License-Identifier: Apache-2.0

import Capture
public import Foundation
import FoundationNetworking
public import KioskPorts

/// One browser at a login page of the reference backend, with cookies of its own that no other session sees and no disk
/// keeps. It asks what the page's script asks.
public final class BrowserSession: Sendable {
    /// Seconds.
    private static let timeout = 10.0

    /// The login page.
    public let page: URL

    private let root: URL
    private let session: URLSession
    private let fetches = BoundedFetches()

    /// - Throws: `invalidSource` unless the page is http or https.
    public init(_ address: String) throws(FrameSourceError) {
        guard let page = URL(string: address), ["http", "https"].contains(page.scheme?.lowercased()),
            page.host?.isEmpty == false, let root = URL(string: "/", relativeTo: page)?.absoluteURL
        else {
            throw FrameSourceError(
                .invalidSource, at: address, problem: "is not an address of a web page",
                remedy: "give http://... or https://...")
        }
        (self.page, self.root) = (page, root)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = BrowserSession.timeout
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: fetches, delegateQueue: nil)
    }

    // A session keeps its delegate until it is invalidated.
    deinit { session.invalidateAndCancel() }

    /// Deletes all cookies, as a private window does that is closed and opened again.
    public func forgetCookies() {
        guard let storage = session.configuration.httpCookieStorage else { return }
        for cookie in storage.cookies ?? [] { storage.deleteCookie(cookie) }
    }

    /// Loads the page, which shows a new code unless nobody has read the old one.
    ///
    /// - Returns: the picture of the page's code.
    func loadPicture() async throws(FrameSourceError) -> Picture {
        _ = try await fetch(URLRequest(url: page))
        let address = root.appending(path: "qr.png")
        return try Picture(decoding: Array(try await fetch(URLRequest(url: address))), from: address.absoluteString)
    }

    /// Asks for the status of this browser's login, which also completes the login.
    ///
    /// - Parameter version: the version of the last answer. The server holds the request until there is another.
    public func status(after version: String) async throws(FrameSourceError) -> BrowserStatus {
        let address = root.appending(path: "session")
        var request = URLRequest(url: address.appending(queryItems: [URLQueryItem(name: "after", value: version)]))
        request.timeoutInterval = StatusPoll.timeout / .seconds(1)
        let answer = try await fetch(request)
        do { return try JSONDecoder().decode(BrowserStatus.self, from: answer) } catch {
            throw unexpected(address, "has no login status")
        }
    }

    /// Fetches the page that only a logged-in browser may see.
    public func protectedPage() async throws(FrameSourceError) -> String {
        String(decoding: try await fetch(URLRequest(url: root.appending(path: "protected"))), as: UTF8.self)
    }

    /// Ends the login of this browser, as the button of its page does.
    public func logOut() async throws(FrameSourceError) {
        var request = URLRequest(url: root.appending(path: "logout"))
        request.httpMethod = "POST"
        _ = try await fetch(request)
    }

    private func fetch(_ request: URLRequest) async throws(FrameSourceError) -> Data {
        let address = request.url ?? page
        let (body, reply): (Data, URLResponse?)
        do { (body, reply) = try await fetches.data(for: request, in: session) } catch is BoundedFetches.TooLong {
            throw FrameSourceError(
                .tooLarge, at: address.absoluteString,
                problem: "sends more than \(BoundedFetches.maximumBody >> 20) MiB",
                remedy: "give a login page of the reference backend")
        } catch {
            throw FrameSourceError(
                .silent, at: address.absoluteString, problem: "does not answer (\(error.localizedDescription))",
                remedy: "check that the server runs and the address is right")
        }
        let status = (reply as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw unexpected(address, "answers with HTTP \(status)") }
        return body
    }

    private func unexpected(_ address: URL, _ problem: String) -> FrameSourceError {
        FrameSourceError(
            .unreadable, at: address.absoluteString, problem: problem,
            remedy: "check that the page is a login page of the reference backend")
    }
}
