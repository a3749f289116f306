// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// The end of a connection's pipeline: hands whole requests to the connection's task, one after the other, and writes
/// what that answers. Both are on the event loop's thread, so there is nothing between them to lock or to pass on.
final class RequestExchange: ChannelDuplexHandler {
    typealias InboundIn = WholeRequest
    typealias OutboundIn = Never
    typealias OutboundOut = HTTPResponsePart

    /// What the connection's task has to do next.
    enum Turn {
        case answer(WholeRequest)
        /// What came is no HTTP, or far too much at once.
        case refuse
        case end
    }

    /// Requests that may wait for a turn before no more are read.
    static let capacity = 8
    /// How many more may come in one piece with them: the shortest that one read holds. A client that sends still more,
    /// in a record of TLS or before it closes its side, is refused behind these: what waits is kept in memory.
    static let excess = 248

    private var arrived = CircularBuffer<WholeRequest>()
    /// What follows the last that arrived.
    private var last: Turn?
    private var isReadHeld = false
    private var context: ChannelHandlerContext?
    private var waiting: CheckedContinuation<Turn, Never>?
    private var waitingForRoom: CheckedContinuation<Void, Never>?

    // MARK: The task's side

    /// The next turn, if it need not wait for the client.
    func nextTurn() -> Turn? {
        guard let request = arrived.popFirst() else { return last }
        if isReadHeld, arrived.count < Self.capacity {
            isReadHeld = false
            context?.read()
        }
        return .answer(request)
    }

    /// - Parameter task: resumed once, with the next turn.
    func wait(_ task: CheckedContinuation<Turn, Never>) {
        if let turn = nextTurn() { task.resume(returning: turn) } else { waiting = task }
    }

    func write(_ head: HTTPResponse, _ body: [ByteBuffer]) {
        guard let context else { return }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        for piece in body { context.write(wrapOutboundOut(.body(piece)), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    /// Whether the client has yet to read so much that nothing is to be added.
    var isFull: Bool { context.map { $0.channel.isActive && !$0.channel.isWritable } ?? false }

    /// - Parameter task: resumed once, when the client has read, or has gone.
    func waitForRoom(_ task: CheckedContinuation<Void, Never>) {
        if isFull { waitingForRoom = task } else { task.resume() }
    }

    /// Nothing more is written. The client closes when it has read the answer.
    func finish() { context?.close(mode: .output, promise: nil) }

    // MARK: The pipeline's side

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        end(.end)
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard last == nil else { return }
        guard arrived.count < Self.capacity + Self.excess else { return end(.refuse) }
        arrived.append(unwrapInboundIn(data))
        resume()
    }

    func read(context: ChannelHandlerContext) {
        if arrived.count < Self.capacity { context.read() } else { isReadHeld = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { resumeForRoom() }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { end(.end) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(error is HTTPParserError ? .refuse : .end)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.end)
        context.fireChannelInactive()
    }

    private func end(_ turn: Turn) {
        if last == nil { last = turn }
        resume()
        if context?.channel.isActive != true { resumeForRoom() }
    }

    private func resume() {
        guard let task = waiting, let turn = nextTurn() else { return }
        waiting = nil
        task.resume(returning: turn)
    }

    private func resumeForRoom() {
        waitingForRoom?.resume()
        waitingForRoom = nil
    }
}

/// Takes a reply's body as it is written.
struct BodyCollector: ResponseBodyWriter {
    final class Pieces { fileprivate(set) var buffers: [ByteBuffer] = [] }

    let pieces = Pieces()

    func write(_ buffer: ByteBuffer) { if buffer.readableBytes > 0 { pieces.buffers.append(buffer) } }

    consuming func finish(_: HTTPFields?) {}
}
