// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTP1
import Waiting

/// The HTTP client between RPS and relying party. It speaks only to the private listener on the loopback interface, on
/// kept connections, with a deadline and a cap. Nothing is sent twice.
struct PrivateClient: Sendable {
    /// Longer than the longest wait behind it: a pause after two failures.
    private static let deadline = TimeAmount.seconds(20)

    private let port: Eventually<Int>
    private let secret: PrivateSecret
    private let connections = PrivateConnections()
    /// What every path begins with.
    private var base = ""

    init(port: Eventually<Int>, secret: PrivateSecret) {
        self.port = port
        self.secret = secret
    }

    /// The same client for requests below `base`, which is empty or begins with a slash.
    func below(_ base: String) -> PrivateClient {
        var client = self
        client.base = base
        return client
    }

    /// - Throws: `PrivateClientError`, or what the connection failed with.
    func get(_ path: String) async throws -> PrivateReply { try await send(.GET, path, body: nil) }

    func post(_ path: String, _ object: JSONObject) async throws -> PrivateReply {
        try await send(.POST, path, body: object.body)
    }

    /// - Parameter form: `name=value` pairs, escaped.
    func post(_ path: String, form: String) async throws -> PrivateReply {
        try await send(.POST, path, body: Array(form.utf8), type: "application/x-www-form-urlencoded")
    }

    private func send(
        _ method: HTTPMethod, _ path: String, body: [UInt8]?, type: String = "application/json"
    ) async throws -> PrivateReply {
        let port = try await port.value
        let channel = try await connections.take(port: port)
        var head = HTTPRequestHead(version: .http1_1, method: method, uri: base + path)
        head.headers = [
            "Host": "127.0.0.1:\(port)", "Authorization": secret.authorization,
            "Content-Length": String(body?.count ?? 0),
        ]
        if let header = ClientAddress.header {
            head.headers.add(name: header.rawName, value: ClientAddress.current.key)
        }
        if body != nil { head.headers.add(name: "Content-Type", value: type) }
        let reply = try await exchange(head, body, on: channel)
        connections.put(channel)
        return reply
    }

    /// Whatever ends it early closes the connection.
    private func exchange(
        _ head: HTTPRequestHead, _ body: [UInt8]?, on channel: any Channel
    ) async throws -> PrivateReply {
        let reply = channel.eventLoop.makePromise(of: PrivateReply.self)
        let late = channel.eventLoop.scheduleTask(in: Self.deadline) {
            reply.fail(PrivateClientError.deadlineExceeded)
            channel.close(promise: nil)
        }
        defer { late.cancel() }
        return try await withTaskCancellationHandler {
            // A connection that is closed already takes no request and so fails none.
            channel.writeAndFlush(PrivateExchange(head: head, body: body, reply: reply))
                .whenFailure { reply.fail($0) }
            return try await reply.futureResult.get()
        } onCancel: {
            reply.fail(CancellationError())
            channel.close(promise: nil)
        }
    }
}

/// One request to the private listener, and where its reply goes.
struct PrivateExchange: Sendable {
    let head: HTTPRequestHead
    let body: [UInt8]?
    let reply: EventLoopPromise<PrivateReply>
}

/// What the other side of the private listener answered.
struct PrivateReply: Sendable {
    let status: Int
    let body: [UInt8]

    var object: JSONObject? { JSONObject(body: body) }
}

/// Why there is no reply of the private listener.
enum PrivateClientError: Error {
    case deadlineExceeded, replyTooLarge, noReply
}
