// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// How many connections a listener keeps: a bound for each address, and one in all. When it is reached, a connection
/// that waits for no answer makes room, the oldest of the address that has most, so that neither one address nor many
/// keep others out.
final class ConnectionBounds: Sendable {
    /// Below what a process may open by default, together with its own.
    static let maximum = 768

    private struct Connection {
        let channel: any Channel
        let address: ClientAddress
        let isProxy: Bool
        let number: UInt64
        var isAnswering = false
    }

    private struct State {
        var connections: [ObjectIdentifier: Connection] = [:]
        var counts: [ClientAddress: Int] = [:]
        var nextNumber: UInt64 = 0
        var isLeaving = false
    }

    private let perAddress: Int
    private let maximum: Int
    private let state = Mutex(State())

    init(perAddress: Int, maximum: Int = maximum) {
        self.perAddress = perAddress
        self.maximum = maximum
    }

    /// - Parameter isProxy: whether the address stands for many.
    /// - Returns: whether the connection is kept. Then it counts until `close(_:)`.
    func open(_ channel: any Channel, from address: ClientAddress, isProxy: Bool) -> Bool {
        let (isKept, replaced) = state.withLock { state -> (Bool, (any Channel)?) in
            guard !state.isLeaving, isProxy || state.counts[address] ?? 0 < perAddress else { return (false, nil) }
            var replaced: Connection?
            if state.connections.count >= maximum {
                replaced = Self.leastMissed(in: state)
                guard let replaced else { return (false, nil) }
                Self.remove(replaced.channel, from: &state)
            }
            state.connections[ObjectIdentifier(channel)] = Connection(
                channel: channel, address: address, isProxy: isProxy, number: state.nextNumber)
            state.nextNumber += 1
            state.counts[address, default: 0] += 1
            return (true, replaced?.channel)
        }
        replaced?.close(promise: nil)
        return isKept
    }

    private static func leastMissed(in state: State) -> Connection? {
        state.connections.values.lazy.filter { !$0.isAnswering && !$0.isProxy }.max { left, right in
            let (few, many) = (state.counts[left.address] ?? 0, state.counts[right.address] ?? 0)
            return few == many ? left.number > right.number : few < many
        }
    }

    /// A connection whose request is being answered stays.
    func setAnswering(_ channel: any Channel, _ isAnswering: Bool) {
        state.withLock { $0.connections[ObjectIdentifier(channel)]?.isAnswering = isAnswering }
    }

    /// The listener ends: no connection is kept from here on, and those that are hear of it.
    func leave() {
        let channels = state.withLock { state in
            state.isLeaving = true
            return state.connections.values.map(\.channel)
        }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }

    func close(_ channel: any Channel) { state.withLock { Self.remove(channel, from: &$0) } }

    private static func remove(_ channel: any Channel, from state: inout State) {
        guard let gone = state.connections.removeValue(forKey: ObjectIdentifier(channel)) else { return }
        let left = (state.counts[gone.address] ?? 1) - 1
        state.counts[gone.address] = left > 0 ? left : nil
    }
}

/// Ends a connection that is one too many before anything is read from it; the first of its handlers, so that nothing
/// waits for TLS.
final class ConnectionRefusal: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func channelActive(context: ChannelHandlerContext) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
}
