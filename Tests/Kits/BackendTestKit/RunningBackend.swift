// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import BackendDatabases
import BackendTLS
package import BackendValues
import Encoding
package import HTTPTypes
package import KioskTestKit
package import MPinCrypto
package import MPinServer
package import Patience
package import ReferenceBackend
import ServiceLifecycle
import Synchronization
import Testing

/// A backend that serves on the loopback interface during a test.
package struct RunningBackend: Sendable {
    package let backend: Backend
    package let addresses: Backend.Addresses
    package let clock: ManualWallClock
    package let log: LogCapture
    package let state: TemporaryFolder
    /// Header fields of every request of ``client``.
    package var headers: HTTPFields = [:]
    /// Path prefix of every request of ``client``.
    package var base = ""

    /// The port of the D-TA that devices ask, if it is a separate server.
    package var authorityPort: Int?

    /// A client of the second D-TA, for devices.
    package var authority: HTTPClient {
        authorityPort.map { HTTPClient(port: $0) }
            ?? HTTPClient(port: addresses.publicPort, headers: headers, base: base + "/dta")
    }

    /// Waits until D-TAs elsewhere have given their shares.
    package func waitForServerSecret() async throws {
        try await Patience.until { log.text.contains("both D-TAs have answered") }
    }

    package var client: HTTPClient { HTTPClient(port: addresses.publicPort, headers: headers, base: base) }
    /// The address of the endpoint.
    package var url: String { addresses.publicURL + base }

    /// A client of the outbox.
    private var outboxClient: HTTPClient {
        get throws {
            let digits = addresses.outboxURL.dropFirst("http://127.0.0.1:".count).prefix { $0 != "/" }
            return HTTPClient(
                port: try #require(Int(digits)), headers: [.authorization: addresses.outboxAuthorization])
        }
    }

    /// The same backend for devices of a company.
    package func identified(as companyID: String) throws -> RunningBackend {
        var backend = self
        backend.headers[try #require(HTTPField.Name("X-MIRACL-CID"))] = companyID
        return backend
    }

    /// The same backend at the endpoint below `base`.
    package func below(_ base: String) -> RunningBackend {
        var backend = self
        backend.base = base
        return backend
    }

    /// The mails of the outbox, newest first, read as by a person.
    package func mails() async throws -> [JSONObject] {
        let reply = try await outboxClient.get("/outbox", headers: [.accept: "application/json"])
        try #require(reply.status == 200)
        guard case .array(let mails)? = reply.object.members["mails"] else { return [] }
        return mails.compactMap { if case .object(let mail) = $0 { JSONObject(mail) } else { nil } }
    }

    /// The address behind the short link of a mail, as a browser shows it.
    package func page(of mail: JSONObject?) async throws -> String {
        let (link, origin) = (try #require(mail?.string("link")), addresses.publicURL)
        let parts = link.dropFirst(origin.count).split(separator: "/").suffix(2)
        try #require(link.hasPrefix(origin) && parts.first == "a" && parts.last?.utf8.count == 22, "\(link)")
        let reply = try await HTTPClient(port: addresses.publicPort).get(String(link.dropFirst(origin.count)))
        try #require(reply.status == 303)
        return origin + (try #require(reply.headers[.location]))
    }

    /// The page behind the newest mail's link.
    package func mailedPage() async throws -> String { try await page(of: try await mails().first) }

    /// Presses the button on the page of the newest mail.
    /// - Parameter recipient: the mail's recipient; nil for any.
    package func confirmNewestMail(to recipient: String? = nil) async throws {
        let mail = try await mails().first { recipient == nil || $0.string("to") == recipient }
        let link = try await page(of: mail)
        try #require(link.hasPrefix(url + "/"))
        let path = String(link.dropFirst(url.count))
        let page = try await client.get(path)
        try #require(page.status == 200)
        let query = try #require(path.split(separator: "?").last)
        let confirmed = try await client.send(
            .post, "/mpinActivate", body: Array(query.utf8),
            headers: [.contentType: "application/x-www-form-urlencoded", .origin: addresses.publicURL])
        try #require(confirmed.status == 200)
    }
}

/// Settings that were parsed before: without optimisation the parser takes longer than a backend needs to start.
private let parsed = Mutex<[[String]: any Sendable]>([:])

extension ParsableArguments where Self: Sendable {
    /// Settings by their options, as the program parses them.
    package init(options: [String]) throws {
        let key = ["\(Self.self)"] + options
        if let known = parsed.withLock({ $0[key] }) as? Self {
            self = known
        } else {
            let new = try Self.parse(options)
            parsed.withLock { $0[key] = new }
            self = new
        }
    }
}

extension Backend {
    /// A backend on a free port, as its operator starts it.
    package convenience init(options: [String], in state: TemporaryFolder) throws {
        try self.init(
            configuration: Configuration(options: ["--listen", "127.0.0.1:0"] + options), in: state.path,
            tls: NIOTLS.connections, logger: LogCapture().logger)
    }

    /// The complaint of a backend that does not start with these options; empty if it does.
    package static func complaint(options: [String], in state: TemporaryFolder = TemporaryFolder()) -> String {
        do { _ = try Backend(options: options, in: state) } catch { return Configuration.message(for: error) }
        return ""
    }
}

/// Starts a backend, runs `body`, and stops it gracefully.
/// - Parameters:
///   - admitted: the users that may register.
///   - options: the operator's other options.
///   - makesSigningKey: whether it makes its own key at the first start.
///   - storage: the storage; nil for the backend's own.
///   - verifier: verifies proofs.
package func withBackend<Value: Sendable>(
    state: TemporaryFolder = TemporaryFolder(), clock: ManualWallClock = ManualWallClock(),
    makesSigningKey: Bool = false,
    storage: BackendStorage? = nil, verifier: @escaping @Sendable (ServerSecret) -> any ProofVerifier = { $0 },
    observer: (any BackendObserver)? = nil, tallyPeriod: Duration = .seconds(3600),
    admitting admitted: [String] = ["anybody"], options: [String] = [],
    _ body: @escaping @Sendable (RunningBackend) async throws -> Value
) async throws -> Value {
    let configuration = try Backend.Configuration(
        options: ["--listen", "127.0.0.1:0"] + admitted.flatMap { ["--admit", $0] } + options)
    if !makesSigningKey { try SharedSigningKey.put(into: state) }
    let log = LogCapture()
    let backend = try Backend(
        configuration: configuration, in: state.path, tls: NIOTLS.connections, logger: log.logger, clock: clock,
        openStorage: { state throws(BackendError) in
            if let storage { return storage }
            return try BackendStorage.embedded(in: state)
        }, verifier: verifier, observer: observer, tallyPeriod: tallyPeriod)
    return try await withService(backend, log: log) {
        try await body(
            RunningBackend(
                backend: backend, addresses: try await backend.addresses, clock: clock, log: log, state: state))
    }
}
