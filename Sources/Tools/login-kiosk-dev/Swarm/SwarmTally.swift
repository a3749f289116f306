// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinClient
import Synchronization

/// The events of a swarm's tasks. Its memory is bounded by the plan's number of logins.
final class SwarmTally: Sendable {
    struct State: Sendable {
        var enrolments: [Double] = []
        var logins: [SwarmLogin] = []
        /// Logins dropped because no kiosk or browser was free.
        var notBegun = 0
        /// Failed requests, by kind.
        var errors: [String: Int] = [:]
    }

    private let state = Mutex(State())

    func add(_ login: SwarmLogin) { state.withLock { $0.logins.append(login) } }

    func addEnrolment(seconds: Double) { state.withLock { $0.enrolments.append(seconds) } }

    func addNotBegun() { state.withLock { $0.notBegun += 1 } }

    func addError(_ kind: String) { state.withLock { $0.errors[kind, default: 0] += 1 } }

    var now: State { state.withLock { $0 } }
}

/// A transport that counts failed requests.
struct WatchedTransport: HTTPTransport {
    let transport: any HTTPTransport
    let tally: SwarmTally

    func send(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse {
        do {
            let response = try await transport.send(request)
            if let kind = Self.kind(ofStatus: response.status) { tally.addError(kind) }
            return response
        } catch {
            // A request cancelled after its login ended is no failure.
            if error.code != .cancelled { tally.addError(Self.kind(of: error.code)) }
            throw error
        }
    }

    var checksPins: Bool { transport.checksPins }

    func distrustConnections(to origin: Origin) { transport.distrustConnections(to: origin) }

    /// Nil for a success, which the verdict on a wrong PIN is too.
    static func kind(ofStatus status: Int) -> String? {
        switch status {
        case ..<400, 401: nil
        case 402..<600, 400: "http_\(status)"
        default: "http_other"
        }
    }

    static func kind(of code: HTTPTransportError.Code) -> String {
        switch code {
        case .connectionFailed: "connection_refused"
        case .nameNotResolved: "name_not_resolved"
        case .addressRefused: "address_refused"
        case .tlsFailed, .serverKeyRefused: "tls_failed"
        case .timedOut: "timed_out"
        case .replyTooLong: "reply_too_long"
        case .cancelled: "cancelled"
        case .transferFailed: "connection_ended"
        }
    }
}
