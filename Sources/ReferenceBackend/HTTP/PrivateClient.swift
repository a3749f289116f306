// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOPosix

/// The HTTP client between RPS and relying party. It speaks only to the private listener on the loopback interface, one
/// connection a request, with a deadline and a cap.
struct PrivateClient: Sendable {
    /// Longer than the longest wait behind it: a pause after two failures.
    private static let deadline = Duration.seconds(20)
    private static let largestReply = 64 * 1024

    let port: Eventually<Int>
    let secret: PrivateSecret

    /// - Throws: `PrivateClientError`, or what the connection failed with.
    func get(_ path: String) async throws -> PrivateReply { try await send(.GET, path, body: nil) }

    func post(_ path: String, _ object: JSONObject) async throws -> PrivateReply {
        try await send(.POST, path, body: object.body)
    }

    private func send(_ method: HTTPMethod, _ path: String, body: [UInt8]?) async throws -> PrivateReply {
        let port = try await port.value
        return try await withThrowingTaskGroup(of: PrivateReply.self) { group in
            group.addTask { try await exchange(method, path, body: body, port: port) }
            group.addTask {
                try await Task.sleep(for: Self.deadline)
                throw PrivateClientError.deadlineExceeded
            }
            defer { group.cancelAll() }
            guard let reply = try await group.next() else { throw PrivateClientError.noReply }
            return reply
        }
    }

    private func exchange(_ method: HTTPMethod, _ path: String, body: [UInt8]?, port: Int) async throws -> PrivateReply
    {
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(5))
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel)
                }
            }
        var head = HTTPRequestHead(version: .http1_1, method: method, uri: path)
        head.headers = [
            "Host": "127.0.0.1:\(port)", "Connection": "close", "Authorization": secret.authorization,
            "Content-Length": String(body?.count ?? 0),
        ]
        if body != nil { head.headers.add(name: "Content-Type", value: "application/json") }
        let requestHead = head
        return try await connection.executeThenClose { inbound, outbound in
            try await outbound.write(.head(requestHead))
            if let body { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: body)))) }
            try await outbound.write(.end(nil))
            var status: Int?
            var content: [UInt8] = []
            for try await part in inbound {
                switch part {
                case .head(let head): status = Int(head.status.code)
                case .body(let buffer):
                    content += buffer.readableBytesView
                    guard content.count <= Self.largestReply else { throw PrivateClientError.replyTooLarge }
                case .end:
                    guard let status else { throw PrivateClientError.noReply }
                    return PrivateReply(status: status, body: content)
                }
            }
            throw PrivateClientError.noReply
        }
    }
}
