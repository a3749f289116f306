// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import Logging
import MPinServer
import OpenIDProvider
import Synchronization

/// Log lines about refused requests of applications, for the operator who has to repair the application.
///
/// Strangers can cause them too. So each application has a few lines a minute, and all unknown applications together
/// have the same number.
package final class OpenIDRefusals: Sendable {
    static let linesPerMinute = 5
    private static let period = Duration.seconds(60)
    /// Applications whose minute is remembered.
    private static let capacity = 256

    private struct Minute {
        let begin: WallTime
        var lines = 0
        var leftOut = 0
    }

    private let clock: any WallClock
    private let logger: Logger
    private let minutes = Mutex<[String: Minute]>([:])

    init(clock: any WallClock, logger: Logger) {
        self.clock = clock
        self.logger = logger
    }

    /// A request to `/authorize`.
    func note(_ refusal: AuthorizationRefusal, _ fields: FormFields, at provider: OpenIDProvider) async throws {
        let name = try await provider.operatorsName(of: fields["client_id"])
        switch refusal {
        case .page(.redirectURI(let sent, let client)):
            note(
                "the redirect URI is not registered", of: name,
                [
                    "sent": "\(sent.text)",
                    "registered": "\(client.redirectURIs.map { SentField.visible($0) }.joined(separator: " "))",
                ])
        case .page(.unknownApplication(let sent)):
            note("no application has this client_id", of: nil, ["sent": "\(sent.text)"])
        case .page(.brokenAddress): note("the query cannot be read", of: nil, [:])
        case .redirect(let error) where error.isFault: note(error.description, of: name, [:])
        case .redirect: break
        }
    }

    /// A request to end a browser's session.
    func note(_ refusal: LogoutRefusal) {
        note(refusal.reason, of: refusal.client?.operatorsName, ["sent": "\(refusal.field.text)"])
    }

    /// A request of a client to another endpoint.
    func note(
        _ error: TokenError, _ fields: FormFields, authorization: String?, at provider: OpenIDProvider
    ) async throws {
        let id = provider.namedClient(fields, authorization: authorization)
        let name = try await provider.operatorsName(of: id)
        let reason =
            switch (error.code, name) {
            case (.invalidClient, nil): "no application has this client_id"
            case (.invalidClient, _): "the client secret is wrong, missing, or given by an application without one"
            default: error.description
            }
        note(reason, of: name, name == nil ? ["sent": "\(Self.mark(ofUnknown: id))"] : [:])
    }

    /// The id, unless it may be a secret in the wrong place.
    private static func mark(ofUnknown id: String?) -> String {
        guard let id else { return "client_id is missing" }
        return RegisteredApplication.isID(id)
            ? "client_id=\(id)" : "client_id of \(id.utf8.count) bytes; ids of applications have 32 digits"
    }

    func note(_ reason: String, of application: String?, _ details: Logger.Metadata) {
        let now = clock.now
        let before: Int? = minutes.withLock { minutes in
            let key = application ?? ""
            var minute = minutes[key] ?? Minute(begin: now)
            var before = 0
            if now < minute.begin || now >= minute.begin + Self.period {
                before = minute.leftOut
                minute = Minute(begin: now)
            }
            defer { minutes[key] = minute }
            if minutes[key] == nil, minutes.count >= Self.capacity { minutes.removeAll() }
            guard minute.lines < Self.linesPerMinute else {
                minute.leftOut += 1
                return nil
            }
            minute.lines += 1
            return before
        }
        guard let before else { return }
        var metadata = details
        metadata["application"] = "\(application ?? "unknown")"
        metadata["reason"] = "\(reason)"
        if before > 0 { metadata["leftOut"] = "\(before)" }
        logger.warning("a request of an application is refused", metadata: metadata)
    }
}
