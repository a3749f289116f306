// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// An HTTP/1.1 connection whose requests are answered when they are whole, one after the other. ``ListenerOnLoop`` has
/// that done on the thread that reads and writes it.
struct WholeRequestConnection: ServerChildChannel {
    typealias Value = NIOAsyncChannel<WholeRequest, HTTPResponsePart>

    private static let idleTimeout = Duration.seconds(30)
    private static let largestHeader = 64 * 1024

    let responder: HTTPChannelHandler.Responder
    let addresses: ClientAddressSource
    let bounds: ConnectionBounds
    /// Where requests are counted while they are answered.
    let openRequests: OpenRequests

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let (bounds, peer) = (bounds, ClientAddress(channel.remoteAddress))
            if bounds.open(channel, from: peer, isProxy: addresses.isProxy(peer)) {
                channel.closeFuture.whenComplete { _ in bounds.close(channel) }
            } else {
                try pipeline.addHandler(ConnectionRefusal(), position: .first)
            }
            // Requests wait for each other in the connection's stream, and header fields are checked when they are
            // made.
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderListSize = Self.largestHeader
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
                withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
            try pipeline.addHandler(RequestTargetHandler())
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: Self.idleTimeout, logger: logger))
            try pipeline.addHandler(WholeRequestHandler())
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            try await withTaskCancellationHandler {
                try await value.executeThenClose { try await answer($0, $1, value.channel) }
            } onCancel: {
                value.channel.close(mode: .input, promise: nil)
            }
        } catch {
            // The client went away.
            logger.trace("connection ended", metadata: ["error": "\(type(of: error))"])
        }
    }

    private func answer(
        _ requests: NIOAsyncChannelInboundStream<WholeRequest>,
        _ replies: NIOAsyncChannelOutboundWriter<HTTPResponsePart>, _ channel: any Channel
    ) async throws {
        let peer = ClientAddress(channel.remoteAddress)
        do {
            for try await request in requests {
                openRequests.open()
                bounds.setAnswering(channel, true)
                defer {
                    openRequests.close()
                    bounds.setAnswering(channel, false)
                }
                try await ClientAddress.$current.withValue(addresses.address(of: request.head, from: peer)) {
                    try await responder(request.request, ResponseWriter(outbound: replies), channel)
                }
                if request.isAbandoned { return }
                if request.isLast { break }
            }
        } catch is HTTPParserError {
            try await replies.write(
                .head(HTTPResponse(status: .badRequest, headerFields: [.connection: "close", .contentLength: "0"])))
            try await replies.write(.end(nil))
        }
        // The client closes when it has read the answer; the idle timeout sees to one that does not.
        replies.finish()
        try await channel.closeFuture.get()
    }
}
