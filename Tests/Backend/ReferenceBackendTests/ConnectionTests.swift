// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import NIOCore
import NIOPosix
import Testing

@testable import ReferenceBackend

/// The uses of one connection.
@Suite struct ConnectionTests {
    /// - Returns: everything until the server closed. The client closes its side if `thenCloses`.
    private func exchange(_ text: String, thenCloses: Bool) async throws -> String {
        try await withBackend { backend in
            let port = backend.addresses.publicPort
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelOption(.allowRemoteHalfClosure, value: true)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                            wrappingChannelSynchronously: channel,
                            configuration: .init(isOutboundHalfClosureEnabled: true))
                    }
                }
            return try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: text))
                if thenCloses { outbound.finish() }
                var received = ByteBuffer()
                for try await piece in inbound { received.writeImmutableBuffer(piece) }
                return String(buffer: received)
            }
        }
    }

    private static func request(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    }

    private static func statuses(_ text: String) -> [Int] {
        text.split(separator: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) }
    }

    /// Far more requests than may wait, from a client that sends before it reads.
    @Test func requestsThatComeAtOnceAreAnsweredInTheirOrder() async throws {
        let pairs = 500
        let text = String(repeating: Self.request("/healthz") + Self.request("/nothing"), count: pairs)
        let last = Self.request("/nothing", "Connection: close\r\n")
        let received = try await exchange(text + last, thenCloses: false)
        #expect(Self.statuses(received) == Array(repeating: [200, 404], count: pairs).flatMap(\.self) + [404])
        #expect(received.contains("\r\nDate: ") || received.contains("\r\ndate: "))
    }

    @Test func aClientThatClosesItsSideIsAnswered() async throws {
        let received = try await exchange(Self.request("/healthz") + Self.request("/nothing"), thenCloses: true)
        #expect(Self.statuses(received) == [200, 404])
    }

    @Test func whatIsNoHTTPIsRefusedBehindTheAnswers() async throws {
        let received = try await exchange(Self.request("/healthz") + "\u{1}rubbish\r\n\r\n", thenCloses: false)
        #expect(Self.statuses(received) == [200, 400])
    }

    @Test func nothingIsAnsweredBehindTheLastRequest() async throws {
        let text = Self.request("/healthz", "Connection: close\r\n") + Self.request("/nothing")
        #expect(Self.statuses(try await exchange(text, thenCloses: false)) == [200])
    }
}
