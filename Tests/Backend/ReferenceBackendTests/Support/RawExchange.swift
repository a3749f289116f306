// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import HTTPTypes
import Patience
import Testing

/// Sends a request of given bytes on a new connection, and reads the reply.
enum RawExchange {
    struct NoReply: Error { let received: String }

    static func send(_ request: String, port: Int) async throws -> Reply {
        try #require(try await send([request], from: "127.0.0.1", port: port).first)
    }

    /// Sends several on one connection, each after the previous reply.
    /// - Parameter address: the source address on the loopback interface.
    static func send(_ requests: [String], from address: String, port: Int) async throws -> [Reply] {
        try await LoopbackConnection.apart {
            let connection = try LoopbackConnection(port: port, from: address)
            return try requests.map { request in
                connection.send(request)
                var received: [UInt8] = []
                while let more = connection.receive() {
                    received += more
                    if let reply = Reply(wire: received) { return reply }
                }
                throw NoReply(received: String(decoding: received, as: UTF8.self))
            }
        }
    }
}

extension Reply {
    /// - Returns: nil while header or body are incomplete.
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
