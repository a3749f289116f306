// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import Patience
import Synchronization

/// Strangers at one address who open connections and send nothing, incomplete requests, or requests whose answers they
/// do not read.
package final class IdleCrowd: Sendable {
    private struct State {
        var open: [ObjectIdentifier: any Channel] = [:]
        var opened = 0
    }

    private let port: Int
    private let reads: Bool
    private let state = Mutex(State())

    /// - Parameter reads: whether the strangers read what the server answers.
    package init(port: Int, reads: Bool = true) {
        self.port = port
        self.reads = reads
    }

    /// Number of connections opened so far.
    package var opened: Int { state.withLock { $0.opened } }

    /// Number of connections that the server has not closed.
    package var open: Int { state.withLock { $0.open.count } }

    /// Opens `count` connections and waits until the server has seen all. It keeps no more than `bound`.
    package func come(_ count: Int, bound: Int, saying text: String = "") async throws {
        for _ in 0..<count {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelOption(.autoRead, value: reads)
                .connect(host: "127.0.0.1", port: port).get()
            state.withLock { state in
                state.open[ObjectIdentifier(channel)] = channel
                state.opened += 1
            }
            channel.closeFuture.whenComplete { [self] _ in leave(channel) }
            guard !text.isEmpty else { continue }
            // The server may never take all that a client sends who does not read.
            guard reads else {
                channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
                continue
            }
            try? await channel.writeAndFlush(ByteBuffer(string: text))
        }
        try await Patience.until { open <= bound }
    }

    package func end() async {
        for channel in state.withLock({ Array($0.open.values) }) { try? await channel.close() }
    }

    private func leave(_ channel: any Channel) { state.withLock { $0.open[ObjectIdentifier(channel)] = nil } }
}
