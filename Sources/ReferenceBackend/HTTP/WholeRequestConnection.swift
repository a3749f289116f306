// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// What holds for all connections of a listener.
struct ConnectionRules: Sendable {
    let addresses: ClientAddressSource
    let bounds: ConnectionBounds
    /// Makes, for each connection, the handler that speaks TLS; nil where none is spoken.
    var tls: (@Sendable () -> any ChannelHandler)?

    init(
        from addresses: ClientAddressSource, perAddress: Int,
        tls: (@Sendable () -> any ChannelHandler)? = nil
    ) {
        self.addresses = addresses
        self.tls = tls
        bounds = ConnectionBounds(perAddress: perAddress)
    }
}

/// An HTTP/1.1 connection whose requests are answered when they are whole, one after the other, on the thread that
/// reads and writes it (``Listener``).
struct WholeRequestConnection: Sendable {
    private static let largestHeader = 64 * 1024
    /// What is read at once, in bytes: nearly every request, and not many that wait for each other.
    private static let readLength = 4096

    private let channel: any Channel
    private let peer: ClientAddress
    private let exchange: NIOLoopBound<RequestExchange>
    private let rules: ConnectionRules
    private let responder: RouterResponder<BasicRequestContext>
    private let date: DateField
    /// Of a request, for hummingbird.
    private let logger: Logger

    /// On the event loop of a channel that has just come.
    init(
        taking channel: any Channel, rules: ConnectionRules, responder: RouterResponder<BasicRequestContext>,
        date: DateField, logger: Logger
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        let (bounds, peer) = (rules.bounds, ClientAddress(channel.remoteAddress))
        if bounds.open(channel, from: peer, isProxy: rules.addresses.isProxy(peer)) {
            channel.closeFuture.whenComplete { _ in bounds.close(channel) }
        } else {
            try pipeline.addHandler(ConnectionRefusal())
        }
        try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        try channel.syncOptions?.setOption(
            .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.readLength))
        if let tls = rules.tls { try pipeline.addHandler(tls()) }
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderListSize = Self.largestHeader
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
        try pipeline.addHandler(ByteToMessageHandler(decoder))
        let exchange = RequestExchange()
        try pipeline.addHandler(exchange)
        self.channel = channel
        self.peer = peer
        self.exchange = NIOLoopBound(exchange, eventLoop: channel.eventLoop)
        (self.rules, self.responder, self.date, self.logger) = (rules, responder, date, logger)
    }

    /// Answers until the connection is closed. Where the task is cancelled, no more is read.
    func serve() async {
        await withTaskCancellationHandler {
            await answerAll()
            try? await channel.closeFuture.get()
        } onCancel: {
            channel.close(mode: .input, promise: nil)
        }
    }

    private func answerAll() async {
        while true {
            switch await withCheckedContinuation({ exchange.value.wait($0) }) {
            case .answer(let request):
                await answer(request)
                if request.isAbandoned { return channel.close(promise: nil) }
                if request.isLast { return exchange.value.finish() }
            case .refuse:
                exchange.value.write(
                    HTTPResponse(status: .badRequest, headerFields: [.connection: "close"]), [], date: date.now)
                return exchange.value.finish()
            case .end:
                return exchange.value.finish()
            }
        }
    }

    private func answer(_ request: WholeRequest) async {
        rules.bounds.setAnswering(channel, true)
        defer { rules.bounds.setAnswering(channel, false) }
        let context = BasicRequestContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        let body = BodyCollector()
        let head: HTTPResponse
        do {
            let response = try await ClientAddress.$current.withValue(
                rules.addresses.address(of: request.head, from: peer)
            ) { try await responder.respond(to: request.request, context: context) }
            try await response.body.write(body)
            head = response.head
        } catch {
            // The routes answer all that they throw themselves.
            head = HTTPResponse(status: .internalServerError)
        }
        exchange.value.write(
            head, body.pieces.buffers, date: date.now, answersHead: request.head.method == .head)
        if exchange.value.isFull { await withCheckedContinuation { exchange.value.waitForRoom($0) } }
    }
}
