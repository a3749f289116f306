// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Synchronization

/// A server in front of a real backend that passes everything on, except at one endpoint where it lies.
final class LyingServer: Sendable {
    struct Lie: Sendable {
        let endpoint: Endpoint
        /// The bytes for the wire, made from the request and the honest reply.
        let reply: @Sendable (WireMessage, WireMessage) -> [UInt8]
    }

    private struct State {
        var lie: Lie?
        var exchanges: [(request: WireMessage, reply: WireMessage)] = []
        var observer: @Sendable (WireMessage) -> Void = { _ in }
    }

    private let backendPort: UInt16
    private let amend: @Sendable (WireMessage, String) -> String
    private let listener: LoopbackListener
    private let state = Mutex(State())

    /// - Parameter amend: makes the body of an honest reply from the request and the backend's body.
    init(before backendPort: UInt16, amend: @escaping @Sendable (WireMessage, String) -> String) throws {
        self.backendPort = backendPort
        self.amend = amend
        listener = try LoopbackListener()
        listener.serve { self.serve($0) }
    }

    var port: UInt16 { listener.port }
    var base: String { "http://127.0.0.1:\(port)" }

    /// The requests and honest replies since the previous call.
    func takeExchanges() -> [(request: WireMessage, reply: WireMessage)] {
        state.withLock { state in
            defer { state.exchanges = [] }
            return state.exchanges
        }
    }

    func tell(_ lie: Lie?) { state.withLock { $0.lie = lie } }

    /// - Parameter observer: called for a request before its reply is sent.
    func observe(_ observer: @escaping @Sendable (WireMessage) -> Void) { state.withLock { $0.observer = observer } }

    func stop() { listener.stop() }

    private func serve(_ connection: LoopbackConnection) {
        guard let request = WireMessage(from: connection) else { return }
        let (lie, observer) = state.withLock { ($0.lie, $0.observer) }
        observer(request)
        let isLiedTo = lie?.endpoint.matches(request) ?? false
        // The backend would wait for a browser before its verdict.
        let reply =
            if isLiedTo, lie?.endpoint == .authenticate {
                WireMessage.reply("200 OK", #"{"logoutURL":"/logout"}"#)
            } else {
                honestReply(to: request)
            }
        guard let reply else { return }
        state.withLock { $0.exchanges.append((request, reply)) }
        if let lie, isLiedTo { connection.send(lie.reply(request, reply)) } else { connection.send(reply.bytes) }
    }

    /// The backend's own reply, with this server's address instead of the backend's.
    private func honestReply(to request: WireMessage) -> WireMessage? {
        guard let backend = try? LoopbackConnection(port: backendPort) else { return nil }
        backend.send(request.bytes)
        guard let reply = WireMessage(from: backend) else { return nil }
        let body = amend(request, reply.bodyText).replacing("127.0.0.1:\(backendPort)", with: "127.0.0.1:\(port)")
        let status = reply.start.split(separator: " ").last ?? ""
        return WireMessage.reply("\(status) X", body)
    }
}
