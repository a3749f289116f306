// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
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

    private func receiveHead(_ path: String = "/") {
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: path, headers: ["Host": "localhost"])
        receive(.head(head))
    }

    private func receive(_ part: HTTPServerRequestPart) {
        channel.pipeline.fireChannelRead(part)
        channel.pipeline.fireChannelReadComplete()
    }

    private func receive(_ path: String) {
        receiveHead(path)
        receive(.end(nil))
    }

    private func answer(_ status: HTTPResponse.Status = .ok) {
        exchange.write(HTTPResponse(status: status), [], date: "now")
    }

    private func pass(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

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

    @Test func anotherHostIsNotServed() {
        receive("/1")
        receive("http://localhost/2")
        receive("/3")
        #expect([next, next] == ["/1", "refuse"])
    }

    // MARK: Deadlines

    private static let moment = TimeAmount.nanoseconds(1)

    @Test(arguments: [true, false])
    func theFirstHeadHasADeadline(arrives: Bool) {
        pass(RequestExchange.firstHeadDeadline - Self.moment)
        if arrives { receive("/1") }
        pass(Self.moment)
        #expect(channel.isActive == arrives)
        // It is being answered, for as long as that takes.
        pass(.hours(1))
        #expect(channel.isActive == arrives)
    }

    @Test(arguments: [0, 1])
    func aBodyHasADeadline(requestsBefore: Int) {
        for _ in 0..<requestsBefore {
            receive("/before")
            #expect(next == "/before")
            answer()
            pass(.seconds(29))
        }
        receiveHead("/slow")
        pass(RequestExchange.bodyDeadline - Self.moment)
        // A byte now and then does not move it.
        receive(.body(ByteBuffer(string: "x")))
        #expect(next == nil)
        pass(Self.moment)
        guard case .answer(let request)? = exchange.nextTurn() else { return #expect(Bool(false), "nothing to answer") }
        #expect(request.head.path == "/slow" && request.isAbandoned)
        receive(.end(nil))
        receive("/later")
        #expect(next == nil)
    }

    /// The answer to the request before does not move it.
    @Test func aBodyHasADeadlineBehindAnotherRequest() {
        receive("/1")
        receiveHead("/slow")
        #expect(next == "/1")
        pass(RequestExchange.bodyDeadline - Self.moment)
        answer()
        #expect(next == nil)
        pass(Self.moment)
        #expect(next == "/slow")
    }

    @Test func aConnectionThatIsNotUsedIsClosed() {
        for _ in 0..<2 {
            receive("/1")
            pass(.hours(1))
            #expect(next == "/1")
            answer()
            pass(RequestExchange.idleDeadline - Self.moment)
            #expect(channel.isActive)
        }
        pass(Self.moment)
        #expect(!channel.isActive)
    }

    /// A listener that ends waits for what has begun.
    @Test(arguments: ["nothing", "a head", "a request that waits", "a request that is answered"])
    func aListenerThatEndsTakesItsConnectionsWithIt(_ begun: String) {
        if begun == "a head" { receiveHead("/1") } else if begun != "nothing" { receive("/1") }
        if begun == "a request that is answered" { #expect(next == "/1") }
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(channel.isActive == (begun != "nothing"))
        guard begun != "nothing" else { return }
        if begun == "a head" { receive(.end(nil)) }
        if begun != "a request that is answered" { #expect(next == "/1") }
        answer()
        #expect(!channel.isActive)
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
        exchange.write(HTTPResponse(status: .ok), [ByteBuffer(string: "late")], date: "now")
        exchange.finish()
    }

    private var written: String? {
        get throws { try channel.readOutbound(as: ByteBuffer.self).map { String(buffer: $0) } }
    }

    @Test func anAnswerIsWrittenWhole() throws {
        let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain", .contentLength: "7"])
        exchange.write(head, [ByteBuffer(string: "a"), ByteBuffer(string: "b")], date: "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(
            try written == """
                HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Type: text/plain\r
                Content-Length: 2\r\n\r\nab
                """)
        #expect(try written == nil)
    }

    @Test(arguments: [
        (204, "", false), (304, "", false), (200, "Content-Length: 0\r\n", false),
        (200, "Content-Length: 4\r\n", true),
    ])
    func anAnswerHasALengthWhereItMayHaveABody(_ code: Int, _ length: String, answersHead: Bool) throws {
        exchange.write(
            HTTPResponse(status: .init(code: code, reasonPhrase: "R")),
            answersHead ? [ByteBuffer(string: "page")] : [], date: "now", answersHead: answersHead)
        #expect(try written == "HTTP/1.1 \(code) R\r\nDate: now\r\n\(length)\r\n")
    }

    /// People read them, and some old clients do.
    @Test(arguments: [(404, "", "Not Found"), (429, "", "Too Many Requests"), (404, "Gone Fishing", "Gone Fishing")])
    func aStatusHasAPhrase(_ code: Int, _ given: String, _ phrase: String) throws {
        exchange.write(HTTPResponse(status: .init(code: code, reasonPhrase: given)), [], date: "now")
        #expect(try written?.hasPrefix("HTTP/1.1 \(code) \(phrase)\r\n") == true)
    }

    /// What a route was given cannot end the head, or add to it.
    @Test func aFieldIsOneLine() throws {
        let name = try #require(HTTPField.Name("X-Echo"))
        exchange.write(
            HTTPResponse(status: .ok, headerFields: [name: "a\r\nSet-Cookie: b\nc"]), [], date: "now")
        let lines = try #require(try written).split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines == ["HTTP/1.1 200 OK", "Date: now", "X-Echo: a  Set-Cookie: b c", "Content-Length: 0", "", ""])
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
