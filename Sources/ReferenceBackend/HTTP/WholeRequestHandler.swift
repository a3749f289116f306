// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Hands requests on once they are whole: up to 64 KiB of body, within 15 seconds, so that bytes that trickle in one by
/// one do not keep a connection; the first head within 10 seconds, so that who says nothing does not either. A small
/// request arrives in one piece and costs no timer and no waiting task.
final class WholeRequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = WholeRequest

    static let largestBody = 64 * 1024
    static let bodyDeadline = TimeAmount.seconds(15)
    static let firstHeadDeadline = TimeAmount.seconds(10)

    private enum State {
        case beforeFirst
        case betweenRequests
        case reading(HTTPRequest, ByteBuffer)
        /// Larger than allowed: what is still to come is read and dropped, so that the client reads the answer.
        case dropping(HTTPRequest)
        case abandoned
    }

    private var state = State.beforeFirst
    private var deadline: Scheduled<Void>?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (state, unwrapInboundIn(data)) {
        case (.beforeFirst, .head(let head)), (.betweenRequests, .head(let head)):
            forgetDeadline()
            state = .reading(head, ByteBuffer())
        case (.reading(let head, var body), .body(let piece)):
            guard body.readableBytes + piece.readableBytes <= Self.largestBody else {
                state = .dropping(head)
                return
            }
            if body.readableBytes == 0 { body = piece } else { body.writeImmutableBuffer(piece) }
            state = .reading(head, body)
        case (.reading(let head, let body), .end):
            end(WholeRequest(head: head, body: .success(body)), context)
        case (.dropping(let head), .end):
            end(WholeRequest(head: head, body: .failure(Refusal(413, "Body too large"))), context)
        case (.dropping, _), (.abandoned, _), (.beforeFirst, _), (.betweenRequests, _), (.reading, .head):
            // The decoder lets nothing but the first two happen.
            break
        }
    }

    /// All that has arrived was looked at: now a request that is not whole needs a timer.
    func channelReadComplete(context: ChannelHandlerContext) {
        switch state {
        case .reading where deadline == nil, .dropping where deadline == nil:
            deadline = context.eventLoop.assumeIsolated().scheduleTask(in: Self.bodyDeadline) {
                self.giveUp(context)
            }
        default: break
        }
        context.fireChannelReadComplete()
    }

    func channelActive(context: ChannelHandlerContext) {
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: Self.firstHeadDeadline) {
            self.deadline = nil
            if case .beforeFirst = self.state { context.close(promise: nil) }
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        forgetDeadline()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { forgetDeadline() }

    private func end(_ request: WholeRequest, _ context: ChannelHandlerContext) {
        state = .betweenRequests
        forgetDeadline()
        context.fireChannelRead(wrapInboundOut(request))
    }

    private func giveUp(_ context: ChannelHandlerContext) {
        deadline = nil
        switch state {
        case .reading(let head, _), .dropping(let head):
            state = .abandoned
            context.fireChannelRead(wrapInboundOut(WholeRequest(abandoned: head)))
            context.fireChannelReadComplete()
        case .beforeFirst, .betweenRequests, .abandoned: break
        }
    }

    private func forgetDeadline() {
        deadline?.cancel()
        deadline = nil
    }
}
