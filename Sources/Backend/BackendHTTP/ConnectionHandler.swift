// SPDX-License-Identifier: Apache-2.0

import BackendValues
import NIOCore

/// The first handler of a connection, in front of TLS. It closes a connection that exceeds a bound or makes room, on
/// which no request begins, or whose server ends. Hummingbird's idle time does not cover this: it begins after the
/// TLS handshake, and on HTTP/2 it asks an idle client first.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// Closes the connection to make room for another.
    struct MakesRoom: Sendable {}

    private let channel: any Channel
    private let address: ClientAddress
    private let bounds: ConnectionBounds
    private let isKept: Bool
    private var state = ConnectionState()
    private var deadline: Scheduled<Void>?

    init(taking channel: any Channel, rules: ConnectionRules) {
        let (bounds, address) = (rules.bounds, ClientAddress(channel.remoteAddress))
        self.channel = channel
        self.address = address
        self.bounds = bounds
        isKept = bounds.open(channel, from: address, isProxy: rules.addresses.isProxy(address))
        if isKept { channel.closeFuture.whenComplete { _ in bounds.close(channel, from: address) } }
    }

    func actions(
        after event: ConnectionState.StreamEvent, of stream: ObjectIdentifier
    ) -> [ConnectionState.StreamAction] { state.handle(event, of: stream) }

    /// - Returns: false for a connection that was chosen to make room.
    @discardableResult
    func carryOut(_ action: ConnectionState.Action) -> Bool {
        switch action {
        case .setDeadline(let amount):
            deadline?.cancel()
            deadline = amount.map { amount in
                channel.eventLoop.assumeIsolated().scheduleTask(in: amount) { self.handle(.deadlinePassed) }
            }
        case .protect(let isAnswering): return bounds.setAnswering(channel, from: address, isAnswering)
        case .close: channel.close(promise: nil)
        }
        return true
    }

    private func handle(_ event: ConnectionState.Event) {
        for action in state.handle(event) { carryOut(action) }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if isKept { handle(.opened) }
    }

    func channelActive(context: ChannelHandlerContext) {
        if isKept { context.fireChannelActive() } else { context.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isKept { context.fireChannelRead(data) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        // Closes at once: the client could delay the end of TLS by seconds.
        case is MakesRoom: return context.close(promise: nil)
        case is ChannelShouldQuiesceEvent: handle(.serverEnds)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        context.fireChannelInactive()
        carryOut(.setDeadline(nil))
    }
}
