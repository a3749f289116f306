// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// One exchange after the other on a connection to the private listener. Confined to the connection's event loop.
final class PrivateExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = PrivateExchange
    typealias OutboundOut = HTTPClientRequestPart

    private static let largestReply = 64 * 1024

    private var reply: EventLoopPromise<PrivateReply>?
    private var status = 0
    private var content: [UInt8] = []
    private var staysOpen = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        reply = exchange.reply
        // All of it before the flush: a server that has the head alone may have answered before the rest is written.
        context.write(wrapOutboundOut(.head(exchange.head)), promise: nil)
        if let body = exchange.body {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        }
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            status = Int(head.status.code)
            staysOpen = head.isKeepAlive
            content = []
        case .body(let buffer):
            content += buffer.readableBytesView
            if content.count > Self.largestReply { end(.failure(PrivateClientError.replyTooLarge), context) }
        case .end: end(.success(PrivateReply(status: status, body: content)), context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.failure(PrivateClientError.noReply), context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(.failure(error), context) }

    private func end(_ result: Result<PrivateReply, any Error>, _ context: ChannelHandlerContext) {
        if case .failure = result { staysOpen = false }
        // Before a caller can take the connection for the next exchange.
        if !staysOpen { context.close(promise: nil) }
        let reply = reply
        self.reply = nil
        reply?.completeWith(result)
    }
}
