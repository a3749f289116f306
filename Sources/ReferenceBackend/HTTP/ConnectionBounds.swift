// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// How many connections a listener keeps: a bound for each address, and some that are kept for addresses with few, so
/// that neither one address nor many with many each keep others out.
final class ConnectionBounds: Sendable {
    /// Below what a process may open by default, together with its own.
    static let maximum = 768
    /// The last ones are for addresses with fewer than `few`.
    static let reserve = 128
    static let few = 4

    private struct Counts {
        var all = 0
        var byAddress: [ClientAddress: Int] = [:]
    }

    private let perAddress: Int
    private let counts = Mutex(Counts())

    init(perAddress: Int) { self.perAddress = perAddress }

    /// - Parameter isProxy: whether the address stands for many.
    /// - Returns: whether a connection from `address` is kept. Then `close(from:)` has to follow.
    func open(from address: ClientAddress, isProxy: Bool) -> Bool {
        counts.withLock { counts in
            let known = counts.byAddress[address] ?? 0
            let isFree = counts.all < Self.maximum - Self.reserve || isProxy || known < Self.few
            guard counts.all < Self.maximum, isFree, isProxy || known < perAddress else { return false }
            counts.all += 1
            counts.byAddress[address] = known + 1
            return true
        }
    }

    func close(from address: ClientAddress) {
        counts.withLock { counts in
            counts.all -= 1
            let left = (counts.byAddress[address] ?? 1) - 1
            counts.byAddress[address] = left > 0 ? left : nil
        }
    }
}

/// Ends a connection that is one too many before anything is read from it; the first of its handlers, so that nothing
/// waits for TLS.
final class ConnectionRefusal: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func channelActive(context: ChannelHandlerContext) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
}
