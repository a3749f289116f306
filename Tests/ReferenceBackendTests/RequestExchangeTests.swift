// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Synchronization
import Testing

@testable import ReferenceBackend

/// What a connection's task is handed, and when.
@MainActor @Suite struct RequestExchangeTests {
    private let exchange = RequestExchange()
    private let reads = ReadCounter()
    private let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel(handlers: [reads, exchange])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        reads.count = 0
    }

    /// Counts what gets through to the socket.
    private final class ReadCounter: ChannelOutboundHandler {
        typealias OutboundIn = Any

        var count = 0

        func read(context: ChannelHandlerContext) {
            count += 1
            context.read()
        }
    }

    private func receive(_ path: String) {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path)
        channel.pipeline.fireChannelRead(WholeRequest(head: head, body: .success(ByteBuffer())))
    }

    private func name(_ turn: RequestExchange.Turn?) -> String? {
        switch turn {
        case .answer(let request): request.head.path
        case .refuse: "refuse"
        case .end: "end"
        case nil: nil
        }
    }

    private var next: String? { name(exchange.nextTurn()) }

    /// A task that waits for a turn, when it waits.
    private func waitingTask() async -> Task<String?, Never> {
        let isWaiting = Atomic(false)
        let task = Task { @MainActor in
            let turn = await withCheckedContinuation { continuation in
                isWaiting.store(true, ordering: .relaxed)
                exchange.wait(continuation)
            }
            return name(turn)
        }
        while !isWaiting.load(ordering: .relaxed) { await Task.yield() }
        return task
    }

    @Test func requestsWaitForEachOther() async {
        #expect(next == nil)
        for path in ["/1", "/2"] { receive(path) }
        #expect([next, next, next] == ["/1", "/2", nil])
        let task = await waitingTask()
        receive("/3")
        #expect(await task.value == "/3")
        #expect(next == nil)
    }

    /// A client that sends without reading fills no memory.
    @Test func noMoreIsReadThanCanWait() {
        for number in 1...7 { receive("/\(number)") }
        channel.read()
        #expect(reads.count == 1)
        receive("/8")
        channel.read()
        channel.read()
        #expect(reads.count == 1, "eight wait")
        #expect(next == "/1")
        #expect(reads.count == 2, "what was held back is done")
        #expect(next == "/2")
        #expect(reads.count == 2)
    }

    /// Nor what comes in one piece.
    @Test func farTooMuchAtOnceIsRefusedBehindTheFirst() {
        let bound = RequestExchange.capacity + RequestExchange.excess
        for number in 1...bound + 10 { receive("/\(number)") }
        #expect((1...bound).allSatisfy { next == "/\($0)" })
        #expect([next, next] == ["refuse", "refuse"])
    }

    enum Ending: CaseIterable { case inputClosed, notHTTP, failure, gone }

    /// What arrived before is answered first, and nothing that comes later.
    @Test(arguments: Ending.allCases) func theEndComesBehindTheRequests(_ ending: Ending) async throws {
        receive("/1")
        switch ending {
        case .inputClosed: channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        case .notHTTP: channel.pipeline.fireErrorCaught(HTTPParserError.invalidURL)
        case .failure: channel.pipeline.fireErrorCaught(ChannelError.inputClosed)
        case .gone: try await channel.close()
        }
        receive("/2")
        let end = ending == .notHTTP ? "refuse" : "end"
        #expect([next, next, next] == ["/1", end, end])
        #expect(await waitingTask().value == end)
    }

    @Test(arguments: Ending.allCases) func aTaskThatWaitsHearsOfTheEnd(_ ending: Ending) async throws {
        let task = await waitingTask()
        switch ending {
        case .inputClosed: channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        case .notHTTP: channel.pipeline.fireErrorCaught(HTTPParserError.invalidURL)
        case .failure: channel.pipeline.fireErrorCaught(ChannelError.inputClosed)
        case .gone: try await channel.close()
        }
        #expect(await task.value == (ending == .notHTTP ? "refuse" : "end"))
    }

    /// A client that reads slowly, or is gone, ends the wait, and an answer to one that is gone does no harm.
    @Test(arguments: [true, false]) func roomIsWaitedFor(_ reads: Bool) async throws {
        #expect(!exchange.isFull)
        channel.isWritable = false
        #expect(exchange.isFull)
        let hasRoom = Atomic(false)
        let isWaiting = Atomic(false)
        let task = Task { @MainActor in
            await withCheckedContinuation { continuation in
                isWaiting.store(true, ordering: .relaxed)
                exchange.waitForRoom(continuation)
            }
            hasRoom.store(true, ordering: .relaxed)
        }
        while !isWaiting.load(ordering: .relaxed) { await Task.yield() }
        let hadRoom = hasRoom.load(ordering: .relaxed)
        #expect(!hadRoom)
        if reads {
            channel.isWritable = true
            channel.pipeline.fireChannelWritabilityChanged()
        } else {
            try await channel.close()
        }
        await task.value
        #expect(!exchange.isFull)
        exchange.write(HTTPResponse(status: .ok), [ByteBuffer(string: "late")])
        exchange.finish()
    }

    @Test func anAnswerIsWrittenWhole() throws {
        exchange.write(HTTPResponse(status: .ok), [ByteBuffer(string: "a"), ByteBuffer(string: "b")])
        exchange.write(HTTPResponse(status: .noContent), [])
        var written: [HTTPResponsePart] = []
        while let part = try channel.readOutbound(as: HTTPResponsePart.self) { written.append(part) }
        #expect(
            written == [
                .head(HTTPResponse(status: .ok)), .body(ByteBuffer(string: "a")), .body(ByteBuffer(string: "b")),
                .end(nil), .head(HTTPResponse(status: .noContent)), .end(nil),
            ])
    }
}

/// The `Date` field of replies.
@Suite struct DateFieldTests {
    /// RFC 9110's example, the first second, a leap day.
    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
    ])
    func hasTheFormOfHTTP(_ second: Int, _ text: String) {
        let date = DateField()
        #expect(date.text(at: second) == text)
        #expect(date.text(at: second) == text)
        #expect(date.text(at: second + 1) != text)
    }
}
