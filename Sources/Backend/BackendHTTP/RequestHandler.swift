// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import LinuxSystem

/// Reports requests and answers to the connection's handler, and ends requests that are too slow. It serves a
/// connection of HTTP/1 or a stream of HTTP/2.
final class RequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Holds an answer until something happens or the client stops waiting: `released` is settled when the client
    /// leaves or sends another request. The answering task sends this event, and ``HoldEnds``.
    struct Hold: Sendable { let released: Eventually<Void> }
    struct HoldEnds: Sendable {}

    /// The body was not complete in time.
    struct TooSlow: Error {}
    /// The client left before the body was complete.
    private struct CutShort: Error {}

    /// The time from a request's head to its end.
    static let bodyDeadline = TimeAmount.seconds(15)

    private var connection: ConnectionHandler?
    /// Requests with a head and without an answer, and the number of them that are complete.
    private var (begun, whole) = (0, 0)
    /// Requests that protect the connection.
    private var protecting = 0
    /// Whether the last request's client waits for `100 Continue` (RFC 9110, section 10.1.1).
    private var isContinueDue = false
    /// Whether a read waits for an answer.
    private var isReadHeld = false
    /// Whether the end of the last request is outstanding.
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
        // The target is in HTTP/1's first line, which the codec does not pass on.
        if let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) {
            try? pipeline.addHandler(TargetHandler(), position: .before(codec))
        }
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isTooSlow else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard connection?.begin() ?? true else { return context.close(promise: nil) }
            begun += 1
            isReading = true
            release()
            isContinueDue = head.headerFields[.expect]?.lowercased() == "100-continue"
            continueIfDue(context)
        case .body: break
        case .end:
            (isReading, isContinueDue) = (false, false)
            setDeadline(nil, context)
            // Some requests were answered before their end.
            if begun > whole {
                whole += 1
                // A connection that makes room now drops the request: nothing is done without an answer.
                guard protect(context, hasAsked: true) else { return }
            }
        }
        context.fireChannelRead(data)
    }

    /// Gives a request that did not arrive in one piece its deadline.
    func channelReadComplete(context: ChannelHandlerContext) {
        if isReading, deadline == nil, !isTooSlow { setDeadline(Self.bodyDeadline, context) }
        context.fireChannelReadComplete()
    }

    /// Reads on while at most one request waits behind the one that is answered. So a client that pipelines takes
    /// little memory, and a client that leaves is noticed.
    func read(context: ChannelHandlerContext) {
        if begun > 1 { isReadHeld = true } else { context.read() }
    }

    /// Asks for the body, once all earlier requests are answered.
    private func continueIfDue(_ context: ChannelHandlerContext) {
        guard isContinueDue, begun == 1 else { return }
        isContinueDue = false
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
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
            held = nil
            protect(context)
        }
        defer {
            continueIfDue(context)
            if isReadHeld, begun <= 1 {
                isReadHeld = false
                context.read()
            }
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
            protect(context)
            if hasLeft || begun > 1 { release() }
        case is HoldEnds:
            held = nil
            protect(context)
        default: context.triggerUserOutboundEvent(event, promise: promise)
        }
    }

    /// A client that does not read waits, whatever is answered.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        protect(context)
        context.fireChannelWritabilityChanged()
    }

    /// Tells the connection how many of its requests protect it: the complete ones, except for one that is held, and
    /// none while the client does not read.
    /// - Parameter hasAsked: whether a request is complete now.
    /// - Returns: false for a connection that makes room.
    @discardableResult
    private func protect(_ context: ChannelHandlerContext, hasAsked: Bool = false) -> Bool {
        let before = protecting
        protecting = context.channel.isWritable ? whole - (held == nil || whole == 0 ? 0 : 1) : 0
        guard hasAsked || protecting != before else { return true }
        return connection?.answer(protecting - before) ?? true
    }

    private func release() { held?.settle(.success(())) }

    // MARK: Ends

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { leave(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The error itself ends a body that is being read, and says why.
        noteLeaving()
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave(context)
        setDeadline(nil, context)
        (whole, held) = (0, nil)
        protect(context)
        if begun > 0, connection?.end(begun) == true { connection?.close() }
        begun = 0
        context.fireChannelInactive()
    }

    /// Treats a body that was cut short as missing.
    private func leave(_ context: ChannelHandlerContext) {
        if noteLeaving(), isReading { context.fireErrorCaught(CutShort()) }
    }

    /// - Returns: whether the client had not left before.
    @discardableResult
    private func noteLeaving() -> Bool {
        guard !hasLeft else { return false }
        hasLeft = true
        release()
        return true
    }
}
