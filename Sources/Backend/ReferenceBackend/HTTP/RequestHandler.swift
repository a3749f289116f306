// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Waiting

/// Tells its connection of the requests that come and are answered, and gives up those that are too slow: on a
/// connection of HTTP/1, or on a stream of HTTP/2.
final class RequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The answer waits for something to happen, as long as the client waits with it: for one that leaves, or that asks
    /// for something else meanwhile, `released` is settled. Sent by the task that answers, as is ``HoldEnds``.
    struct Hold: Sendable { let released: Eventually<Void> }
    struct HoldEnds: Sendable {}

    /// A body was not whole in time.
    struct TooSlow: Error {}
    /// The client left within a body.
    private struct CutShort: Error {}

    /// From the head of a request to its end.
    static let bodyDeadline = TimeAmount.seconds(15)

    private var connection: ConnectionHandler?
    /// Requests whose head has come and that are not answered, and those of them that are whole.
    private var (begun, whole) = (0, 0)
    /// Whether the end of the last request is still to come.
    private var isReading = false
    private var isTooSlow = false
    private var hasLeft = false
    private var deadline: Scheduled<Void>?
    private var held: Eventually<Void>?

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        connection =
            (try? pipeline.handler(type: ConnectionHandler.self))
            ?? (try? context.channel.parent?.pipeline.syncOperations.handler(type: ConnectionHandler.self))
        // HTTP/1 says in the first line what is known no more behind the codec.
        if let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) {
            try? pipeline.addHandler(TargetHandler(), position: .before(codec))
        }
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isTooSlow else { return }
        switch unwrapInboundIn(data) {
        case .head:
            guard connection?.begin() ?? true else { return context.close(promise: nil) }
            begun += 1
            isReading = true
            release()
        case .body: break
        case .end:
            isReading = false
            setDeadline(nil, context)
            // Some are answered before.
            if begun > whole {
                whole += 1
                // One that makes room at this moment takes the request with it: nothing is done without an answer.
                guard connection?.answer(+1) ?? true else { return }
            }
        }
        context.fireChannelRead(data)
    }

    /// A small request arrives in one piece and has no deadline.
    func channelReadComplete(context: ChannelHandlerContext) {
        if isReading, deadline == nil, !isTooSlow { setDeadline(Self.bodyDeadline, context) }
        context.fireChannelReadComplete()
    }

    private func setDeadline(_ amount: TimeAmount?, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = amount.map { amount in
            context.eventLoop.assumeIsolated().scheduleTask(in: amount) {
                self.isTooSlow = true
                if self.begun == 0 { context.close(promise: nil) } else { context.fireErrorCaught(TooSlow()) }
            }
        }
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data), begun > 0 else { return context.write(data, promise: promise) }
        begun -= 1
        if whole > 0 {
            whole -= 1
            if held == nil { connection?.answer(-1) }
            held = nil
        }
        let isOver = connection?.end() ?? false
        guard isOver || isTooSlow && begun == 0 else { return context.write(data, promise: promise) }
        let (written, connection) = (promise ?? context.eventLoop.makePromise(), connection)
        written.futureResult.assumeIsolated().whenComplete { _ in
            if isOver { connection?.close() } else { context.close(promise: nil) }
        }
        context.write(data, promise: written)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event {
        case let hold as Hold:
            held = hold.released
            connection?.answer(-1)
            if hasLeft || begun > 1 { release() }
        case is HoldEnds:
            if held != nil, whole > 0 { connection?.answer(+1) }
            held = nil
        default: context.triggerUserOutboundEvent(event, promise: promise)
        }
    }

    private func release() { held?.settle(.success(())) }

    // MARK: Ends

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { leave(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        leave(context)
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave(context)
        setDeadline(nil, context)
        if whole > 0 { connection?.answer(held == nil ? -whole : 1 - whole) }
        if begun > 0, connection?.end(begun) == true { connection?.close() }
        (begun, whole, held) = (0, 0, nil)
        context.fireChannelInactive()
    }

    /// A body that is cut short is none.
    private func leave(_ context: ChannelHandlerContext) {
        guard !hasLeft else { return }
        hasLeft = true
        release()
        if isReading { context.fireErrorCaught(CutShort()) }
    }
}
