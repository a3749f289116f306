// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import NIOCore
import NIOPosix
import Synchronization
import Testing

/// A reverse proxy that sends replies to the wrong requests.
///
/// Each client connection has its own connection to the backend, and carries one request after another.
final class ConfusedProxy: Sendable {
    enum Fault: String, CaseIterable, Sendable {
        /// A copy of the reply follows immediately.
        case twiceAtOnce
        /// A copy of the reply comes in front of the reply to the connection's next request.
        case twiceLate
        /// From now on every request, on any connection, gets the previous request's reply.
        case shifted
    }

    private struct State {
        var backendPort: Int?
        var requests: [String] = []
        var fault: (request: Int, fault: Fault)?
        /// The path suffix of requests that are sent to the backend twice. The client gets the second reply.
        var repeated: String?
        var lastReply: [UInt8]?
    }

    let port: Int
    private let listener: NIOAsyncChannel<NIOAsyncChannel<ByteBuffer, ByteBuffer>, Never>
    private let state = Mutex(State())

    init() async throws {
        listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        port = try #require(listener.channel.localAddress?.port)
    }

    /// The requests since ``obey(_:at:)``, by method and path.
    var requests: [String] { state.withLock { $0.requests } }

    /// Makes a fault at the n-th request from now on, counted from 0; nil for none.
    func obey(_ fault: Fault?, at request: Int = 0) {
        state.withLock { state in
            state.requests = []
            state.lastReply = nil
            state.fault = fault.map { (request, $0) }
        }
    }

    /// Sends each request with this path suffix twice from now on; nil for none.
    func sendTwice(_ end: String?) { state.withLock { $0.repeated = end } }

    /// Serves until the task is cancelled.
    func run(to backendPort: Int) async throws {
        state.withLock { $0.backendPort = backendPort }
        try await listener.executeThenClose { clients in
            try await withThrowingDiscardingTaskGroup { group in
                for try await client in clients {
                    group.addTask { try? await self.serve(client) }
                }
            }
        }
    }

    private func serve(_ client: NIOAsyncChannel<ByteBuffer, ByteBuffer>) async throws {
        let backendPort = try #require(state.withLock { $0.backendPort })
        let backend = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: backendPort) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await client.executeThenClose { fromClient, toClient in
            try await backend.executeThenClose { fromBackend, toBackend in
                var requests = MessageReader(fromClient.makeAsyncIterator())
                var replies = MessageReader(fromBackend.makeAsyncIterator())
                var heldCopy: [UInt8]?
                while let request = try await requests.next() {
                    let fault = note(request)
                    try await toBackend.write(ByteBuffer(bytes: request))
                    guard var reply = try await replies.next() else { return }
                    if isRepeated(request) {
                        try await toBackend.write(ByteBuffer(bytes: request))
                        guard let second = try await replies.next() else { return }
                        reply = second
                    }
                    // Copy and reply arrive together, so that the client sees at its next request what is left over.
                    try await toClient.write(ByteBuffer(bytes: (heldCopy.take() ?? []) + replaced(reply)))
                    switch fault {
                    case .twiceAtOnce: try await toClient.write(ByteBuffer(bytes: reply))
                    case .twiceLate: heldCopy = reply
                    case .shifted, nil: break
                    }
                }
            }
        }
    }

    private func isRepeated(_ request: [UInt8]) -> Bool {
        let line =
            request.prefix { $0 != UInt8(ascii: "\r") }.split(separator: UInt8(ascii: " ")).dropFirst().first ?? []
        let path = String(decoding: line, as: UTF8.self).prefix { $0 != "?" }
        return state.withLock { $0.repeated.map { path.hasSuffix($0) } ?? false }
    }

    /// - Returns: the fault for the reply.
    private func note(_ request: [UInt8]) -> Fault? {
        let words = request.prefix { $0 != UInt8(ascii: "\r") }.split(separator: UInt8(ascii: " ")).prefix(2)
        let line = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        return state.withLock { state in
            state.requests.append(line.prefix { $0 != "?" }.description)
            guard let (number, fault) = state.fault, state.requests.count == number + 1 else { return nil }
            return fault
        }
    }

    /// The bytes that replace a reply.
    private func replaced(_ reply: [UInt8]) -> [UInt8] {
        state.withLock { state in
            guard let (number, fault) = state.fault, fault == .shifted, state.requests.count > number else {
                return reply
            }
            defer { state.lastReply = reply }
            return state.lastReply ?? reply
        }
    }
}

/// Splits a stream of HTTP/1.1 into messages with a `Content-Length` or without a body.
private struct MessageReader {
    private struct NotUnderstood: Error {}

    private var source: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var bytes: [UInt8] = []

    init(_ source: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator) { self.source = source }

    /// - Returns: nil when the peer closed between two messages.
    mutating func next() async throws -> [UInt8]? {
        while true {
            if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound {
                let length = end + (try Self.bodyLength(bytes[..<end]))
                if bytes.count >= length {
                    defer { bytes.removeFirst(length) }
                    return Array(bytes.prefix(length))
                }
            }
            guard let more = try await source.next() else { return nil }
            bytes += more.readableBytesView
        }
    }

    private static func bodyLength(_ head: ArraySlice<UInt8>) throws -> Int {
        let lines = String(decoding: head, as: UTF8.self).lowercased().split(separator: "\r\n")
        guard !lines.contains(where: { $0.hasPrefix("transfer-encoding") }) else { throw NotUnderstood() }
        guard let line = lines.first(where: { $0.hasPrefix("content-length:") }) else { return 0 }
        guard let length = Int(line.dropFirst("content-length:".count).filter { $0 != " " }) else {
            throw NotUnderstood()
        }
        return length
    }
}
