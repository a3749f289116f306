// SPDX-License-Identifier: Apache-2.0

/// Polls the status of a page's login as the page's script does: one request after the other. Each names the version of
/// the last answer, and the server holds it until the status has another.
public struct StatusPoll: Sendable {
    /// The shortest time from one request to the next, unless the first brought news.
    private static let minimumInterval = Duration.seconds(1)
    /// The longest wait for an answer. The server holds a request for 25 seconds.
    public static let timeout = Duration.seconds(40)

    /// The version of the last answer. Without one the server answers at once.
    private var version = ""
    /// The earliest time of the next request.
    private var earliest = ContinuousClock.now

    public init() {}

    /// Waits until the next request is due, and sends it.
    ///
    /// - Parameter ask: sends the request, and returns when the server has answered.
    public mutating func next<Failure: Error>(
        _ ask: (_ version: String) async throws(Failure) -> BrowserStatus
    ) async throws(Failure) -> BrowserStatus {
        // The request of a cancelled task fails at once.
        try? await Task.sleep(until: earliest)
        earliest = .now + Self.minimumInterval
        let known = version
        version = ""
        let status = try await ask(known)
        if status.version != known { earliest = .now }
        version = status.version
        return status
    }
}

/// The answer of `GET /session` about a browser's login.
public struct BrowserStatus: Sendable, Decodable {
    public enum State: String, Sendable, Decodable {
        case new, scanned, user, authenticated, expired
    }

    public let state: State
    /// The user who logs in; nil or empty while unknown.
    public let user: String?
    /// The name that identifies the picture of the page; nil without a code.
    public let picture: String?
    /// Whether a person has refused at the kiosk since the page was opened.
    public let declined: Bool?
    /// The name that identifies this answer.
    let version: String
}
