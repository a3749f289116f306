// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Connections to the private listener that wait for the next exchange.
final class PrivateConnections: Sendable {
    /// Well below the listener's idle timeout, so that it never closes one that is just taken.
    private static let longestIdleness = Duration.seconds(10)
    private static let capacity = 64
    private static let connectTimeout = TimeAmount.seconds(5)

    private struct Idle {
        let channel: any Channel
        let since: ContinuousClock.Instant
    }

    private let idle = Mutex<[Idle]>([])

    /// A connection for one exchange, kept or new, on the calling task's own event loop if it has one: then no thread
    /// waits for another.
    func take(port: Int) async throws -> any Channel {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        if let channel = takeIdle(on: loop) { return channel }
        return try await ClientBootstrap(group: loop)
            .connectTimeout(Self.connectTimeout)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(PrivateExchangeHandler())
                }
            }
            .connect(to: SocketAddress(ipAddress: "127.0.0.1", port: port)).get()
    }

    private func takeIdle(on loop: any EventLoop) -> (any Channel)? {
        let oldest = ContinuousClock.now - Self.longestIdleness
        let (found, old) = idle.withLock { idle in
            let old = idle.filter { $0.since < oldest }
            idle.removeAll { $0.since < oldest || !$0.channel.isActive }
            let position = idle.lastIndex { $0.channel.eventLoop === loop }
            return (position.map { idle.remove(at: $0).channel }, old)
        }
        for connection in old { connection.channel.close(promise: nil) }
        return found
    }

    /// Keeps a connection whose exchange has ended well.
    func put(_ channel: any Channel) {
        let isKept = idle.withLock { idle in
            guard idle.count < Self.capacity, channel.isActive else { return false }
            idle.append(Idle(channel: channel, since: .now))
            return true
        }
        if !isKept { channel.close(promise: nil) }
    }
}
