// SPDX-License-Identifier: Apache-2.0

import MetricsService
import NIOCore
import NIOEmbedded
import Testing

@Suite struct StallHandlerTests {
    private static func channel() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: StallHandler(patience: .seconds(10)))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private static func write(_ channel: EmbeddedChannel) { channel.write(ByteBuffer(string: "part"), promise: nil) }

    @Test func aClientThatTakesNothingIsClosed() throws {
        let channel = try Self.channel()
        Self.write(channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        // More that is not taken gives no more time.
        Self.write(channel)
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func aClientThatReadsSlowlyIsNot() throws {
        let channel = try Self.channel()
        for _ in 0..<5 {
            Self.write(channel)
            channel.embeddedEventLoop.advanceTime(by: .seconds(9))
            channel.flush()
        }
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(channel.isActive)
    }
}
