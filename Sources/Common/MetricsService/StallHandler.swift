// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// Closes a connection, or a stream of HTTP/2, whose client asks and does not read. Confined to its event loop.
///
/// It comes after the HTTP codec, so that a part of an answer is one write.
public final class StallHandler: ChannelOutboundHandler, RemovableChannelHandler {
    public typealias OutboundIn = Any
    public typealias OutboundOut = Any

    /// The time that a server waits for a client to take a part of an answer.
    public static let patience = Duration.seconds(10)

    private let patience: TimeAmount
    private var unsent = 0
    private var limit: Scheduled<Void>?

    public init(patience: Duration) { self.patience = TimeAmount(patience) }

    public func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
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
