// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOPosix

@testable import ReferenceBackend

/// A mail server that takes one mail, far enough for libcurl (RFC 5321).
struct MailSink: Sendable {
    private let server: NIOAsyncChannel<NIOAsyncChannel<ByteBuffer, ByteBuffer>, Never>

    /// Listens on a free port of the loopback interface.
    init() async throws {
        server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
    }

    var port: Int { server.channel.localAddress?.port ?? 0 }

    /// The lines of the first conversation, commands and content alike.
    func receive() async throws -> [String] {
        try await server.executeThenClose { connections in
            for try await connection in connections { return try await Self.converse(connection) }
            return []
        }
    }

    private static func converse(_ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>) async throws -> [String] {
        try await connection.executeThenClose { inbound, outbound in
            func say(_ line: String) async throws { try await outbound.write(ByteBuffer(string: line + "\r\n")) }
            var lines: [String] = []
            var rest = ""
            var isContent = false
            try await say("220 sink")
            for try await buffer in inbound {
                rest += String(buffer: buffer)
                while let end = rest.range(of: "\r\n") {
                    let line = String(rest[..<end.lowerBound])
                    rest.removeSubrange(..<end.upperBound)
                    lines.append(line)
                    if isContent {
                        if line == "." {
                            isContent = false
                            try await say("250 taken")
                        }
                    } else if line == "DATA" {
                        isContent = true
                        try await say("354 go on")
                    } else if line == "QUIT" {
                        try await say("221 bye")
                        return lines
                    } else {
                        try await say("250 fine")
                    }
                }
            }
            return lines
        }
    }
}
