// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The first handler of a connection, in front of TLS. It closes one that is too many or makes room, one on which no
/// request begins, and one whose server ends. Hummingbird's idle time does not reach as far: it begins behind the
/// handshake of TLS, and HTTP/2 asks an idle client for its consent.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The connection makes room.
    struct MakesRoom: Sendable {}

    /// From the beginning to the first head.
    static let firstHeadDeadline = TimeAmount.seconds(10)
    /// From an answer to the next head. Hummingbird's own comes first, with a farewell.
    static let idleDeadline = WebServer.idleTime + .seconds(10)
    /// From the server's end to that of a connection on which nothing is under way.
    static let farewellDeadline = TimeAmount.seconds(5)

    private let channel: any Channel
    private let address: ClientAddress
    private let bounds: ConnectionBounds
    private let isKept: Bool
    /// Requests whose head has come and that are not answered.
    private var underWay = 0
    /// Requests that are whole, and neither answered nor held.
    private var answering = 0
    private var isLeaving = false
    private var isOver = false
    private var deadline: Scheduled<Void>?

    init(taking channel: any Channel, rules: ConnectionRules) {
        let (bounds, address) = (rules.bounds, ClientAddress(channel.remoteAddress))
        self.channel = channel
        self.address = address
        self.bounds = bounds
        isKept = bounds.open(channel, from: address, isProxy: rules.addresses.isProxy(address))
        if isKept { channel.closeFuture.whenComplete { _ in bounds.close(channel, from: address) } }
    }

    // MARK: Its requests

    /// A request's head has come.
    /// - Returns: false where nothing new is taken any more.
    func begin() -> Bool {
        guard !isOver else { return false }
        underWay += 1
        if !isLeaving { setDeadline(nil) }
        return true
    }

    /// A request is whole, or is answered or held; a connection stays from the one to the other.
    /// - Returns: whether it has stayed so far.
    @discardableResult
    func answer(_ change: Int) -> Bool {
        answering += change
        return bounds.setAnswering(channel, from: address, answering > 0)
    }

    /// Requests are answered, or are gone.
    /// - Returns: whether the connection is to be closed when the answer is written.
    func end(_ count: Int = 1) -> Bool {
        underWay -= count
        guard underWay == 0 else { return false }
        if isOver { setDeadline(Self.farewellDeadline) } else if !isLeaving { setDeadline(Self.idleDeadline) }
        return isOver
    }

    func close() { channel.close(promise: nil) }

    // MARK: The pipeline

    func handlerAdded(context: ChannelHandlerContext) {
        if isKept { setDeadline(Self.firstHeadDeadline) }
    }

    func channelActive(context: ChannelHandlerContext) {
        if isKept { context.fireChannelActive() } else { context.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isKept { context.fireChannelRead(data) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        // At once: the other side could let the farewell of TLS take seconds.
        case is MakesRoom: return context.close(promise: nil)
        case is ChannelShouldQuiesceEvent where !isLeaving:
            isLeaving = true
            setDeadline(Self.farewellDeadline)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        setDeadline(nil)
        context.fireChannelInactive()
    }

    private func setDeadline(_ amount: TimeAmount?) {
        deadline?.cancel()
        deadline = amount.map { amount in
            channel.eventLoop.assumeIsolated().scheduleTask(in: amount) {
                self.isOver = true
                if self.underWay == 0 { self.close() }
            }
        }
    }
}
