// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import NIOCore
import NIOPosix
import NIOSSL
import Patience
import Testing

@testable import BackendHTTP
@testable import BackendValues
@testable import ReferenceBackend

/// HTTP/2 by the frames of RFC 9113, from clients that follow the rules or break them.
@Suite(.timeLimit(.minutes(10))) struct HTTP2Tests {
    private static func withTLSBackend(
        options: [String] = [],
        _ body: @escaping @Sendable (RunningBackend) async throws -> Void
    ) async throws {
        let files = TemporaryFolder()
        try await withBackend(options: try TestCertificate.tls(in: files).options + options, body)
        withExtendedLifetime(files) {}
    }

    @Test func requestsOfAConnectionAreAnsweredAtOnce() async throws {
        try await Self.withTLSBackend { backend in
            try await FrameClient.run(at: backend.addresses.publicPort) { client in
                for stream in [UInt32(1), 3, 5] { try await client.ask("/healthz", on: stream) }
                try await client.ask("/nothing", on: 7)
                #expect(try await client.answers(4) == [1: true, 3: true, 5: true, 7: false])
            }
        }
    }

    /// The bound equals that of connections. Further requests are told to come again.
    @Test func requestsOfAnAddressAreBounded() async throws {
        try await Self.withTLSBackend(options: ["--connections-per-address", "4"]) { backend in
            try await FrameClient.run(at: backend.addresses.publicPort) { client in
                let streams = (0..<10).map { UInt32(2 * $0 + 1) }
                for stream in streams { try await client.ask("/rps/pass1", on: stream, isWhole: false) }
                let refused = try await client.answers(6)
                #expect(!refused.values.contains(true))
                // Those that wait for their bodies are answered once these arrive.
                for stream in streams where refused[stream] == nil { try await client.end(stream) }
                _ = try await client.answers(4)
            }
        }
    }

    /// A client that keeps sending and cancelling requests (CVE-2023-44487) is disconnected.
    @Test func rapidResetsEndTheConnection() async throws {
        try await Self.withTLSBackend { backend in
            try await FrameClient.run(at: backend.addresses.publicPort) { client in
                for number in 0..<1000 {
                    let stream = UInt32(2 * number + 1)
                    // The connection may be closed already.
                    guard (try? await client.ask("/healthz", on: stream)) != nil,
                        (try? await client.reset(stream)) != nil
                    else { break }
                }
                while await client.isOpen() {}
            }
            try await FrameClient.run(at: backend.addresses.publicPort) { client in
                try await client.ask("/healthz", on: 1)
                #expect(try await client.answers(1) == [1: true])
            }
        }
    }

    /// curl resets a stream that is open when it has the announced bytes, and nio-http2 allows 200 resets.
    @Test(arguments: ["/healthz", "/service", "/nothing", "/operator"]) func theLastByteEndsTheStream(_ path: String)
        async throws
    {
        try await Self.withTLSBackend { backend in
            try await FrameClient.run(at: backend.addresses.publicPort) { client in
                try await client.ask(path, on: 1)
                var last = try #require(try await client.next())
                while !last.endsStream { last = try #require(try await client.next()) }
                #expect(last.kind == .headers || !last.content.isEmpty)
            }
        }
    }

    /// A request with two hosts could be read in two ways.
    @Test func anotherHostIsRefused() async throws {
        try await Self.withTLSBackend { backend in
            try await FrameClient.run(at: backend.addresses.publicPort) { client in
                try await client.ask("/healthz", on: 1, fields: [("host", "evil.example")])
                try await client.ask("/healthz", on: 3, fields: [("host", "localhost")])
                #expect(try await client.answers(2) == [1: false, 3: true])
            }
        }
    }

    /// The poll of a cancelled stream is not held any longer.
    @Test func aStreamThatIsGivenUpHoldsNothing() async throws {
        try await Self.withTLSBackend { backend in
            let site = backend.backend.classicSites[0]
            let (browsers, cookieName) = (site.browsers, try await site.mount.cookie().fullName)
            try await FrameClient.run(at: backend.addresses.publicPort) { client in
                func reply(to path: String, _ cookie: String?, on stream: UInt32) async throws -> [UInt8] {
                    try await client.ask(path, on: stream, fields: cookie.map { [("cookie", $0)] } ?? [])
                    var body: [UInt8] = []
                    while true {
                        let frame = try #require(try await client.next())
                        guard frame.stream == stream else { continue }
                        if frame.kind == .data { body += frame.content }
                        if frame.endsStream { return body }
                    }
                }
                let cookie = cookieName + "=" + (try await browsers.visit(nil).cookie.value)
                let state = try #require(JSONObject(body: try await reply(to: "/session", cookie, on: 1)))
                let version = try #require(state.string("version"))
                try await client.ask("/session?after=" + version, on: 3, fields: [("cookie", cookie)])
                try await browsers.polls.wait { $0 > 0 }
                try await client.reset(3)
                try await browsers.polls.wait { $0 == 0 }
            }
        }
    }
}

/// A client that writes given HTTP/2 frames.
private struct FrameClient {
    enum Kind: UInt8 { case data = 0, headers = 1, reset = 3, settings = 4, ping = 6, goAway = 7, windowUpdate = 8 }

    struct Frame {
        let kind: Kind?
        let flags: UInt8
        let stream: UInt32
        let content: [UInt8]

        var endsStream: Bool { flags & 1 != 0 }
        /// Whether the first header field is `:status: 200`, entry 8 of the static table (RFC 7541, appendix A).
        var isOK: Bool { content.first == 0x88 }
    }

    let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    let frames: Frames

    /// Reads frames one after another.
    final class Frames {
        private var bytes: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
        private var buffer = ByteBuffer()

        init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>) { bytes = inbound.makeAsyncIterator() }

        /// - Returns: nil when the connection has ended.
        func next() async throws -> Frame? {
            while true {
                if let frame = read() { return frame }
                guard let more = try await bytes.next() else { return nil }
                buffer.writeImmutableBuffer(more)
            }
        }

        private func read() -> Frame? {
            let start = buffer.readerIndex
            guard let head = buffer.readBytes(length: 9) else { return nil }
            let length = head[0..<3].reduce(0) { $0 << 8 | Int($1) }
            guard let content = buffer.readBytes(length: length) else {
                buffer.moveReaderIndex(to: start)
                return nil
            }
            let stream = head[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
            return Frame(kind: Kind(rawValue: head[3]), flags: head[4], stream: stream, content: content)
        }
    }

    static func run(at port: Int, _ body: (FrameClient) async throws -> Void) async throws {
        var tls = try TLSClient()
        tls.configuration.applicationProtocols = ["h2"]
        let client = tls
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(client.handler())
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            let client = FrameClient(outbound: outbound, frames: Frames(inbound))
            try await outbound.write(ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
            try await client.write(.settings, on: 0)
            try await body(client)
        }
    }

    /// The next frame of a stream. Settings are acknowledged.
    func next() async throws -> Frame? {
        while let frame = try await frames.next() {
            if frame.kind == .settings, frame.flags & 1 == 0 { try await write(.settings, flags: 1, on: 0) }
            if frame.stream > 0 { return frame }
        }
        return nil
    }

    /// Whether each of the next answers is one of success, by its stream.
    func answers(_ count: Int) async throws -> [UInt32: Bool] {
        var isFine: [UInt32: Bool] = [:]
        while isFine.count < count {
            let frame = try #require(try await next())
            if frame.kind == .headers { isFine[frame.stream] = frame.isOK }
        }
        return isFine
    }

    /// Reads one more frame. A reset connection counts as closed.
    func isOpen() async -> Bool {
        do { return try await next() != nil } catch { return false }
    }

    /// - Parameter isWhole: whether there is no body.
    func ask(
        _ path: String, on stream: UInt32, fields: [(String, String)] = [], isWhole: Bool = true
    ) async throws {
        // `:method: GET` or `POST` and `:scheme: https` from the static table, the others as literals (RFC 7541,
        // section 6).
        var block: [UInt8] = [isWhole ? 0x82 : 0x83, 0x87]
        block += [0x01] + Self.text("localhost") + [0x04] + Self.text(path)
        for (name, value) in fields { block += [0x00] + Self.text(name) + Self.text(value) }
        try await write(.headers, flags: 4 | (isWhole ? 1 : 0), on: stream, block)
    }

    func end(_ stream: UInt32) async throws { try await write(.data, flags: 1, on: stream, Array("{}".utf8)) }

    func reset(_ stream: UInt32) async throws { try await write(.reset, on: stream, [0, 0, 0, 8]) }

    /// A string without Huffman coding. From 127 bytes on its length needs more than one byte.
    private static func text(_ text: String) -> [UInt8] {
        let count = text.utf8.count
        var length: [UInt8] = [UInt8(min(count, 127))]
        if count >= 127 {
            var rest = count - 127
            while rest >= 128 {
                length.append(UInt8(rest % 128 + 128))
                rest /= 128
            }
            length.append(UInt8(rest))
        }
        return length + Array(text.utf8)
    }

    private func write(_ kind: Kind, flags: UInt8 = 0, on stream: UInt32, _ content: [UInt8] = []) async throws {
        var frame = ByteBuffer()
        frame.writeBytes([UInt8(content.count >> 16), UInt8(content.count >> 8 & 0xff), UInt8(content.count & 0xff)])
        frame.writeBytes([kind.rawValue, flags])
        frame.writeInteger(stream)
        frame.writeBytes(content)
        try await outbound.write(frame)
    }
}
