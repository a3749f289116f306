// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOPosix

/// One request sent as the bytes it is given as, on a connection of its own, and its reply.
enum RawExchange {
    struct NoReply: Error { let received: String }

    static func send(_ request: String, port: Int) async throws -> Reply {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            var received: [UInt8] = []
            for try await buffer in inbound {
                received += buffer.readableBytesView
                if let reply = Reply(wire: received) { return reply }
            }
            throw NoReply(received: String(decoding: received, as: UTF8.self))
        }
    }
}

extension Reply {
    /// - Returns: nil as long as header or body are not complete.
    fileprivate init?(wire: [UInt8]) {
        guard let end = wire.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: wire[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
        var headers = HTTPFields()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else { continue }
            headers.append(HTTPField(name: name, value: parts[1].drop { $0 == " " }.description))
        }
        let body = Array(wire[end.upperBound...])
        guard let length = headers[.contentLength].flatMap({ Int($0) }), body.count >= length else { return nil }
        self.init(status: status, headers: headers, body: body)
    }
}
