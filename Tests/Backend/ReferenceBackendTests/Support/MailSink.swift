// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

@testable import ReferenceBackend

/// A mail server, complete enough for libcurl (RFC 5321), with STARTTLS (RFC 3207) if it has a context.
struct MailSink: Sendable {
    private let server: NIOAsyncChannel<NIOAsyncChannel<ByteBuffer, ByteBuffer>, Never>
    private let tls: NIOSSLContext?

    /// Listens on a free port of the loopback interface.
    init(tls: NIOSSLContext? = nil) async throws {
        self.tls = tls
        server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
    }

    /// A context with the tests' certificate, which no system authority has signed.
    static func ownCertificate() throws -> NIOSSLContext {
        let chain = try NIOSSLCertificate.fromPEMBytes(try TestCertificate.chain())
        let key = try NIOSSLPrivateKey(bytes: TestCertificate.privateKey(), format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key)))
    }

    var port: Int { server.channel.localAddress?.port ?? 0 }
    var url: String { "smtp://127.0.0.1:\(port)" }

    /// The lines of the first conversation, both commands and content.
    func receive() async throws -> [String] { try await receive(answering: ["250 fine"])[0] }

    /// The lines of each conversation. There is one for each answer.
    /// - Parameter answers: the reply to `RCPT` in each conversation.
    func receive(answering answers: [String]) async throws -> [[String]] {
        let rest = Mutex(answers[...])
        return try await receive(answers.count) { _ in rest.withLock { $0.popFirst() } ?? "" }
    }

    /// The lines of `count` conversations.
    /// - Parameter answer: the reply to a `RCPT` line.
    func receive(_ count: Int, answering answer: @escaping @Sendable (String) -> String) async throws -> [[String]] {
        try await server.executeThenClose { connections in
            var conversations: [[String]] = []
            for try await connection in connections {
                conversations.append(try await converse(connection, answer: answer))
                if conversations.count == count { break }
            }
            return conversations
        }
    }

    private func converse(
        _ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>, answer: @escaping @Sendable (String) -> String
    ) async throws -> [String] {
        try await connection.executeThenClose { inbound, outbound in
            func say(_ line: String) async throws { try await outbound.write(ByteBuffer(string: line + "\r\n")) }
            var lines: [String] = []
            var rest = ""
            var isContent = false
            // A client that distrusts the certificate ends the connection, and the test sees its earlier lines.
            do {
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
                        } else if line.hasPrefix("EHLO"), tls != nil, !lines.contains("STARTTLS") {
                            try await say("250-sink\r\n250 STARTTLS")
                        } else if line == "STARTTLS", let tls {
                            try await Self.startTLS(tls, on: connection.channel)
                        } else if line.hasPrefix("RCPT") {
                            try await say(answer(line))
                        } else {
                            try await say("250 fine")
                        }
                    }
                }
            } catch {}
            return lines
        }
    }

    /// Answers and changes the pipeline in one step of the event loop, so that no byte of the handshake is missed.
    private static func startTLS(_ context: NIOSSLContext, on channel: any Channel) async throws {
        try await channel.eventLoop.submit {
            channel.writeAndFlush(ByteBuffer(string: "220 go on\r\n"), promise: nil)
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context), position: .first)
        }.get()
    }
}
