// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// What holds for all connections of a listener.
struct ConnectionRules: Sendable {
    let addresses: ClientAddressSource
    let bounds: ConnectionBounds
    /// Where requests are counted while they are answered.
    let openRequests: OpenRequests
    /// Makes, for each connection, the handler that speaks TLS; nil where none is spoken.
    var tls: (@Sendable () -> any ChannelHandler)?

    init(
        counting openRequests: OpenRequests, from addresses: ClientAddressSource, perAddress: Int,
        tls: (@Sendable () -> any ChannelHandler)? = nil
    ) {
        self.openRequests = openRequests
        self.addresses = addresses
        self.tls = tls
        bounds = ConnectionBounds(perAddress: perAddress)
    }
}

/// An HTTP/1.1 connection whose requests are answered when they are whole, one after the other, on the thread that
/// reads and writes it (``Listener``).
struct WholeRequestConnection: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        fileprivate let exchange: NIOLoopBound<RequestExchange>
    }

    private static let idleTimeout = Duration.seconds(30)
    private static let largestHeader = 64 * 1024
    /// What is read at once, in bytes: nearly every request, and not many that wait for each other.
    private static let readLength = 4096

    let rules: ConnectionRules
    let responder: RouterResponder<BasicRequestContext>
    let date: DateField
    /// Of a request, for hummingbird.
    let logger: Logger

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
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
            // Requests wait for each other in the exchange, and header fields are checked when they are made.
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderListSize = Self.largestHeader
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
                withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
            try pipeline.addHandler(RequestTargetHandler())
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: Self.idleTimeout, logger: logger))
            try pipeline.addHandler(WholeRequestHandler())
            let exchange = RequestExchange()
            try pipeline.addHandler(exchange)
            return Value(channel: channel, exchange: NIOLoopBound(exchange, eventLoop: channel.eventLoop))
        }
    }

    func handle(value: Value, logger _: Logger) async {
        let channel = value.channel
        await withTaskCancellationHandler {
            await answer(value.exchange, channel)
            try? await channel.closeFuture.get()
        } onCancel: {
            channel.close(mode: .input, promise: nil)
        }
    }

    private func answer(_ exchange: NIOLoopBound<RequestExchange>, _ channel: any Channel) async {
        let peer = ClientAddress(channel.remoteAddress)
        while true {
            switch await withCheckedContinuation({ exchange.value.wait($0) }) {
            case .answer(let request):
                await answer(request, exchange, channel, peer)
                if request.isAbandoned { return channel.close(promise: nil) }
                if request.isLast { return exchange.value.finish() }
            case .refuse:
                exchange.value.write(
                    HTTPResponse(status: .badRequest, headerFields: [.connection: "close", .contentLength: "0"]), [])
                return exchange.value.finish()
            case .end:
                return exchange.value.finish()
            }
        }
    }

    private func answer(
        _ request: WholeRequest, _ exchange: NIOLoopBound<RequestExchange>, _ channel: any Channel,
        _ peer: ClientAddress
    ) async {
        rules.openRequests.open()
        rules.bounds.setAnswering(channel, true)
        defer {
            rules.openRequests.close()
            rules.bounds.setAnswering(channel, false)
        }
        let context = BasicRequestContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        let body = BodyCollector()
        var head: HTTPResponse
        do {
            let response = try await ClientAddress.$current.withValue(
                rules.addresses.address(of: request.head, from: peer)
            ) { try await responder.respond(to: request.request, context: context) }
            head = response.head
            try await response.body.write(body)
        } catch {
            // The routes answer all that they throw themselves.
            head = HTTPResponse(status: .internalServerError, headerFields: [.contentLength: "0"])
        }
        head.headerFields[.date] = date.now
        exchange.value.write(head, body.pieces.buffers)
        if exchange.value.isFull { await withCheckedContinuation { exchange.value.waitForRoom($0) } }
    }
}
