// SPDX-License-Identifier: Apache-2.0

public import LoginValues
public import MPinClient
import Synchronization

/// A transport whose replies a test scripts, by method and path. It records every request.
public final class FakeTransport: HTTPTransport {
    /// The peer's behaviour for one request.
    public enum Behaviour: Sendable {
        case reply(HTTPResponse)
        /// No answer: the request ends at its deadline, on the transport's clock, or when it is cancelled.
        case silence
        case failure(HTTPTransportError)
    }

    public typealias Handler = @Sendable (HTTPRequest) -> Behaviour

    private struct Rule {
        let method: HTTPRequest.Method
        /// A path, or a path prefix when the last character is `*`. The query is ignored.
        let pattern: String
        let handler: Handler
        /// Number of requests that it still answers; nil for any number.
        var left: Int?

        func matches(_ request: HTTPRequest) -> Bool {
            guard request.method == method else { return false }
            return pattern.hasSuffix("*")
                ? request.url.path.hasPrefix(pattern.dropLast()) : request.url.path == pattern
        }
    }

    private struct State {
        var rules: [Rule] = []
        var requests: [HTTPRequest] = []
        var faults: FaultPlan?
        var keys: [Origin: PublicKeyPin] = [:]
        var watchers: [(rule: Rule, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Mutex<State>
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - faults: the plan of network faults, whatever the script says.
    ///   - clock: measures deadlines.
    public init(faults: FaultPlan? = nil, clock: some Clock<Duration> = ContinuousClock()) {
        var initial = State()
        initial.faults = faults
        state = Mutex(initial)
        sleep = { try await clock.sleep(for: $0) }
    }

    /// Answers requests with `handler`. A later rule for the same requests wins.
    public func on(_ method: HTTPRequest.Method, _ pattern: String, handler: @escaping Handler) {
        state.withLock { $0.rules.append(Rule(method: method, pattern: pattern, handler: handler)) }
    }

    /// Answers one request after another. The last behaviour repeats.
    public func on(_ method: HTTPRequest.Method, _ pattern: String, _ behaviours: Behaviour...) {
        let rest = Mutex(behaviours)
        on(method, pattern) { _ in
            rest.withLock { rest in rest.count > 1 ? rest.removeFirst() : rest.first ?? .silence }
        }
    }

    /// Answers the next such request with `behaviour`, and later ones as before.
    public func onNext(_ method: HTTPRequest.Method, _ pattern: String, _ behaviour: Behaviour) {
        state.withLock { state in
            state.rules.append(Rule(method: method, pattern: pattern, handler: { _ in behaviour }, left: 1))
        }
    }

    /// Every request so far, including those that failed on the way, but not those that a pin refused.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    public func forgetRequests() { state.withLock { $0.requests = [] } }

    /// Waits for a request with this method and path (or path prefix, with `*`).
    public func waitForRequest(_ method: HTTPRequest.Method, _ pattern: String) async {
        let rule = Rule(method: method, pattern: pattern) { _ in .silence }
        await withCheckedContinuation { continuation in
            let hasCome = state.withLock { state in
                if state.requests.contains(where: rule.matches) { return true }
                state.watchers.append((rule, continuation))
                return false
            }
            if hasCome { continuation.resume() }
        }
    }

    /// Each peer has the expected keys, until a test sets others.
    public var checksPins: Bool { true }

    /// Sets the key of an origin's peer; nil for the expected one.
    public func setKey(_ key: PublicKeyPin?, of origin: Origin) { state.withLock { $0.keys[origin] = key } }

    public func send(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse {
        let key = state.withLock { $0.keys[request.url.origin] }
        if let key, !request.pins.isEmpty, !request.pins.contains(key) {
            throw HTTPTransportError(
                .serverKeyRefused, requestMayHaveBeenSent: false, detail: "\(request.url.origin): planned key")
        }
        let (fault, handler, watchers) = state.withLock { state in
            state.requests.append(request)
            let watchers = state.watchers.filter { $0.rule.matches(request) }.map(\.continuation)
            state.watchers.removeAll { $0.rule.matches(request) }
            let index = state.rules.lastIndex { $0.left != 0 && $0.matches(request) }
            let handler = index.map { state.rules[$0].handler }
            if let index, let left = state.rules[index].left { state.rules[index].left = left - 1 }
            return (state.faults?.network(request.url.path), handler, watchers)
        }
        for watcher in watchers { watcher.resume() }
        func answer() -> Behaviour { handler?(request) ?? .status(404) }
        switch fault {
        case nil: return try await carryOut(answer(), request)
        case .beforeSending:
            throw HTTPTransportError(.connectionFailed, requestMayHaveBeenSent: false, detail: "planned fault")
        case .afterSending:
            _ = answer()
            throw HTTPTransportError(.transferFailed, requestMayHaveBeenSent: true, detail: "planned fault")
        case .cutReply: return try await carryOut(answer(), request).cutInHalf
        case .twice:
            _ = answer()
            return try await carryOut(answer(), request)
        case .delay:
            let behaviour = answer()
            try await pause(request.deadline / 2)
            return try await carryOut(behaviour, request)
        case .foreignPage: return try await carryOut(.json("<!doctype html><title>Sign in to this network"), request)
        case .busy:
            return HTTPResponse(
                status: 503, headers: [HTTPHeader("Retry-After", "1")], body: SecretBytes(copying: []))
        case .silence: return try await carryOut(.silence, request)
        }
    }

    private func carryOut(
        _ behaviour: Behaviour, _ request: HTTPRequest
    ) async throws(HTTPTransportError) -> HTTPResponse {
        switch behaviour {
        case .failure(let error): throw error
        case .reply(let response):
            guard response.body.count <= HTTPRequest.maximumReplyLength else {
                throw HTTPTransportError(.replyTooLong, requestMayHaveBeenSent: true, detail: "the reply is too long")
            }
            return response
        case .silence:
            try await pause(request.deadline)
            throw HTTPTransportError(.timedOut, requestMayHaveBeenSent: true, detail: "the deadline passed")
        }
    }

    private func pause(_ duration: Duration) async throws(HTTPTransportError) {
        do { try await sleep(duration) } catch {
            throw HTTPTransportError(.cancelled, requestMayHaveBeenSent: true, detail: "cancelled")
        }
    }
}

extension HTTPResponse {
    /// The response with the first half of its body.
    fileprivate var cutInHalf: HTTPResponse {
        let half = body.withBytes { bytes in (0..<bytes.count / 2).map { bytes[$0] } }
        return HTTPResponse(status: status, headers: headers, body: SecretBytes(copying: half))
    }
}

extension FakeTransport.Behaviour {
    public static func json(_ text: String, status: Int = 200) -> FakeTransport.Behaviour {
        .reply(
            HTTPResponse(
                status: status, headers: [HTTPHeader("Content-Type", "text/html; charset=UTF-8")],
                body: SecretBytes(copying: text.utf8)))
    }

    /// A reply without a body.
    public static func status(_ status: Int) -> FakeTransport.Behaviour {
        .reply(HTTPResponse(status: status, body: SecretBytes(copying: [])))
    }
}
