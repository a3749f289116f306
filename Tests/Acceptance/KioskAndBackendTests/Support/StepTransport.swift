// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import LoginValues
import MPinClient
import Synchronization

/// A network that calls a test right before one request, or loses requests or replies. It records the paths.
final class StepTransport: HTTPTransport {
    private struct State {
        var paths: [String] = []
        var intervention: (part: String, action: @Sendable () async throws -> Void)?
        var lostPart: String?
        var unansweredPart: String?
        var hidden: [String] = []
    }

    private struct Lost: Error {}

    private let inner: any HTTPTransport
    private let state = Mutex(State())

    init(_ inner: any HTTPTransport) { self.inner = inner }

    /// The requests since ``forget()``.
    var paths: [String] { state.withLock { $0.paths } }

    func forget() { state.withLock { $0.paths = [] } }

    /// Loses every request whose path contains `part`, until ``restore()``.
    func lose(_ part: String) { state.withLock { $0.lostPart = part } }

    /// Sends every request whose path contains `part`, and loses the reply, until ``restore()``.
    func loseReply(to part: String) { state.withLock { $0.unansweredPart = part } }

    /// Renames members of all replies, so that the client does not find them.
    func hide(_ members: [String]) { state.withLock { $0.hidden = members } }

    func restore() {
        state.withLock { state in
            state.lostPart = nil
            state.unansweredPart = nil
        }
    }

    /// Calls `action` once, before the next request whose path contains `part`. If it throws, the request is lost.
    func before(_ part: String, _ action: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.intervention = (part, action) }
    }

    /// Whether the action of ``before(_:_:)`` was called.
    var isSettled: Bool { state.withLock { $0.intervention == nil } }

    var checksPins: Bool { inner.checksPins }

    func distrustConnections(to origin: Origin) { inner.distrustConnections(to: origin) }

    func send(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse {
        let path = request.url.path
        let action = state.withLock { state -> (@Sendable () async throws -> Void)? in
            state.paths.append(path)
            if let part = state.lostPart, path.contains(part) { return { throw Lost() } }
            guard let intervention = state.intervention, path.contains(intervention.part) else { return nil }
            state.intervention = nil
            return intervention.action
        }
        do { try await action?() } catch {
            throw HTTPTransportError(.connectionFailed, requestMayHaveBeenSent: false, detail: "lost by the test")
        }
        let response = try await inner.send(request)
        if let part = state.withLock({ $0.unansweredPart }), path.contains(part) {
            throw HTTPTransportError(.transferFailed, requestMayHaveBeenSent: true, detail: "reply lost by the test")
        }
        let hidden = state.withLock { $0.hidden }
        guard !hidden.isEmpty else { return response }
        var text = response.body.text
        for member in hidden { text = text.replacing("\"\(member)\":", with: "\"hidden-\(member)\":") }
        return HTTPResponse(
            status: response.status, headers: response.headers, body: SecretBytes(copying: Array(text.utf8)))
    }
}
