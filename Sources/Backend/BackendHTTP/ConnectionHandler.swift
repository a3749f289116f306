// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The first handler of a connection, in front of TLS. It closes a connection that exceeds a bound or makes room, on
/// which no request begins, or whose server ends. Hummingbird's idle time does not cover this: it begins after the
/// TLS handshake, and on HTTP/2 it asks an idle client first.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// Closes the connection to make room for another.
    struct MakesRoom: Sendable {}

    /// The time from connecting to the first request's head.
    static let firstHeadDeadline = TimeAmount.seconds(10)
    /// The time from an answer to the next head. Hummingbird's shorter time ends first, with a proper goodbye.
    static let idleDeadline = WebServer.idleTime + .seconds(10)
    /// The time from the server's end to that of an idle connection.
    static let farewellDeadline = TimeAmount.seconds(5)

    private let channel: any Channel
    private let address: ClientAddress
    private let bounds: ConnectionBounds
    private let isKept: Bool
    /// Requests with a head and without an answer.
    private var underWay = 0
    /// Complete requests that are neither answered nor held.
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

    // MARK: Requests

    /// Counts a request whose head has come.
    /// - Returns: false when the connection takes no new requests.
    func begin() -> Bool {
        guard !isOver else { return false }
        underWay += 1
        if !isLeaving { setDeadline(nil) }
        return true
    }

    /// Counts complete requests, minus those answered or held, and those of a client that does not read. The connection
    /// is protected while there are any.
    /// - Returns: whether it has been protected so far.
    @discardableResult
    func answer(_ change: Int) -> Bool {
        answering += change
        return bounds.setAnswering(channel, from: address, answering > 0)
    }

    /// Counts requests that were answered or cancelled.
    /// - Returns: whether the connection closes after the answer is written.
    package func end(_ count: Int = 1) -> Bool {
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
        // At once: the client could delay the end of TLS by seconds.
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
