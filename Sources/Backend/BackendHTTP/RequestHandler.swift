// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import LinuxSystem
import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Reports requests and answers to the connection's state, and performs its actions. It serves a connection of HTTP/1
/// or a stream of HTTP/2.
final class RequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Holds an answer until something happens or the client stops waiting: `released` is settled when the client
    /// leaves or sends another request. The answering task sends this event, and ``HoldEnds``.
    struct Hold: Sendable { let released: Eventually<Void> }
    struct HoldEnds: Sendable {}

    /// Nil after the end.
    private var connection: ConnectionHandler?
    private var deadline: Scheduled<Void>?
    private var held: Eventually<Void>?

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        connection =
            (try? pipeline.handler(type: ConnectionHandler.self))
            ?? (try? context.channel.parent?.pipeline.syncOperations.handler(type: ConnectionHandler.self))
        // The target is in HTTP/1's first line, which the codec does not pass on.
        if let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) {
            try? pipeline.addHandler(TargetHandler(), position: .before(codec))
        }
    }

    // MARK: Events

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let event: ConnectionState.StreamEvent =
            switch unwrapInboundIn(data) {
            case .head(let head): .head(expectsContinue: head.headerFields[.expect]?.lowercased() == "100-continue")
            case .body: .body
            case .end: .end
            }
        handle(event, context, part: data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        handle(.readComplete, context)
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) { handle(.read, context) }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenComplete { _ in self.handle(.written, context) }
        context.write(data, promise: written)
        handle(.answered, context)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event {
        case let hold as Hold:
            held = hold.released
            handle(.hold, context)
        case is HoldEnds: handle(.holdEnds, context)
        default: context.triggerUserOutboundEvent(event, promise: promise)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        handle(.writable(context.channel.isWritable), context)
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { handle(.inputClosed, context) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        handle(.failed, context)
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        handle(.closed, context)
        connection = nil
        context.fireChannelInactive()
    }

    // MARK: Actions

    /// - Parameter part: the part of the event.
    private func handle(
        _ event: ConnectionState.StreamEvent, _ context: ChannelHandlerContext, part: NIOAny? = nil
    ) {
        guard let connection else { return context.close(promise: nil) }
        for action in connection.actions(after: event, of: ObjectIdentifier(self)) {
            switch action {
            case .connection(let action):
                // A connection that makes room drops the request: nothing is done without an answer.
                guard connection.carryOut(action) || event != .end else { return }
            case .pass: if let part { context.fireChannelRead(part) }
            case .read: context.read()
            case .askForBody:
                context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
            case .setBodyDeadline(let amount): setBodyDeadline(amount, context)
            case .fail(let fault): context.fireErrorCaught(fault)
            case .release: held?.settle(.success(()))
            case .close: context.close(promise: nil)
            }
        }
    }

    private func setBodyDeadline(_ amount: TimeAmount?, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = amount.map { amount in
            context.eventLoop.assumeIsolated().scheduleTask(in: amount) { self.handle(.bodyDeadlinePassed, context) }
        }
    }
}
