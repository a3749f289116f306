// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Closes a connection that does not receive sent data. Confined to the connection's event loop.
final class StallHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = Any
    typealias OutboundOut = Any

    private let patience: TimeAmount
    private var unsent = 0
    private var limit: Scheduled<Void>?

    init(patience: TimeAmount) { self.patience = patience }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let written = promise ?? context.eventLoop.makePromise()
        unsent += 1
        if limit == nil { setLimit(context) }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in
            let (handler, context) = bound.value
            handler.partWasSent(context)
        }
        context.write(data, promise: written)
    }

    private func partWasSent(_ context: ChannelHandlerContext) {
        unsent -= 1
        limit?.cancel()
        limit = nil
        if unsent > 0 { setLimit(context) }
    }

    private func setLimit(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        limit = context.eventLoop.scheduleTask(in: patience) { bound.value.close(promise: nil) }
    }
}
