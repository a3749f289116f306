// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1

/// The end of a connection's pipeline: hands whole requests to the connection's task, one after the other, and writes
/// what that answers. Both are on the event loop's thread, so there is nothing between them to lock or to pass on.
///
/// Who says nothing does not keep a connection, nor who sends bytes one by one: the first head is there within 10
/// seconds, a body 15 seconds after its head, and another request 30 seconds after the last reply.
final class RequestExchange: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

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

    static let firstHeadDeadline = TimeAmount.seconds(10)
    static let bodyDeadline = TimeAmount.seconds(15)
    static let idleDeadline = TimeAmount.seconds(30)

    private var assembly = RequestAssembly()
    private var arrived = CircularBuffer<WholeRequest>()
    /// What follows the last that arrived.
    private var last: Turn?
    private var isReadHeld = false
    private var context: ChannelHandlerContext?
    private var waiting: CheckedContinuation<Turn, Never>?
    private var waitingForRoom: CheckedContinuation<Void, Never>?
    private var isAnswering = false
    /// Whether the listener ends: then the connection does behind what has begun.
    private var isLeaving = false
    private var deadline: NIODeadline?
    private var timer: (end: NIODeadline, scheduled: Scheduled<Void>)?

    // MARK: The task's side

    /// The next turn, if it need not wait for the client.
    func nextTurn() -> Turn? {
        guard let request = arrived.popFirst() else { return last }
        if isReadHeld, arrived.count < Self.capacity {
            isReadHeld = false
            context?.read()
        }
        isAnswering = true
        return .answer(request)
    }

    /// - Parameter task: resumed once, with the next turn.
    func wait(_ task: CheckedContinuation<Turn, Never>) {
        if let turn = nextTurn() { task.resume(returning: turn) } else { waiting = task }
    }

    /// - Parameter answersHead: whether the request was for the head alone.
    func write(_ head: HTTPResponse, _ body: [ByteBuffer], date: String, answersHead: Bool = false) {
        isAnswering = false
        guard let context else { return }
        var reply = context.channel.allocator.buffer(capacity: 1024)
        reply.writeReply(head, body, date: date, answersHead: answersHead)
        context.writeAndFlush(wrapOutboundOut(reply), promise: nil)
        guard arrived.isEmpty, !assembly.isUnderWay else { return }
        if isLeaving { context.close(promise: nil) } else { setDeadline(Self.idleDeadline, context) }
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

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { setDeadline(Self.firstHeadDeadline, context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        setDeadline(Self.firstHeadDeadline, context)
        context.fireChannelActive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end(.end)
        timer?.scheduled.cancel()
        timer = nil
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard last == nil else { return }
        let part = unwrapInboundIn(data)
        if case .head = part { deadline = nil }
        switch assembly.take(part) {
        case .nothing: break
        case .whole(let request): arrive(request)
        case .malformed: end(.refuse)
        }
    }

    /// A small request arrives in one piece and has no deadline.
    func channelReadComplete(context: ChannelHandlerContext) {
        if assembly.isUnderWay, deadline == nil { setDeadline(Self.bodyDeadline, context) }
        context.fireChannelReadComplete()
    }

    private func arrive(_ request: WholeRequest) {
        deadline = nil
        guard arrived.count < Self.capacity + Self.excess else { return end(.refuse) }
        arrived.append(request)
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
        switch event {
        case ChannelEvent.inputClosed: end(.end)
        case is ChannelShouldQuiesceEvent:
            isLeaving = true
            if !isAnswering, arrived.isEmpty, !assembly.isUnderWay { context.close(promise: nil) }
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(error is HTTPParserError ? .refuse : .end)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.end)
        context.fireChannelInactive()
    }

    // MARK: Deadlines

    /// One timer serves all of a connection's deadlines: it is moved only where it would come too late.
    private func setDeadline(_ amount: TimeAmount, _ context: ChannelHandlerContext) {
        let end = context.eventLoop.now + amount
        deadline = end
        guard timer.map({ $0.end > end }) ?? true else { return }
        timer?.scheduled.cancel()
        setTimer(end, context)
    }

    private func setTimer(_ end: NIODeadline, _ context: ChannelHandlerContext) {
        let scheduled = context.eventLoop.assumeIsolated().scheduleTask(deadline: end) {
            self.timer = nil
            guard let deadline = self.deadline else { return }
            if deadline <= context.eventLoop.now { self.giveUp(context) } else { self.setTimer(deadline, context) }
        }
        timer = (end, scheduled)
    }

    private func giveUp(_ context: ChannelHandlerContext) {
        deadline = nil
        if let abandoned = assembly.giveUp() { arrive(abandoned) } else { context.close(promise: nil) }
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
