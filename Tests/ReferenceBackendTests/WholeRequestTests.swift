// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import ReferenceBackend

@Suite struct WholeRequestTests {
    private static let head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/rps/pass1")

    private let channel: EmbeddedChannel

    init() { channel = EmbeddedChannel(handler: WholeRequestHandler()) }

    private func receive(_ parts: HTTPRequestPart...) throws {
        for part in parts { channel.pipeline.fireChannelRead(part) }
        channel.pipeline.fireChannelReadComplete()
        try channel.throwIfErrorCaught()
    }

    private func body(_ text: String) -> HTTPRequestPart { .body(ByteBuffer(string: text)) }

    private func body(of request: WholeRequest?) throws -> String {
        String(buffer: try #require(try request?.body.get()))
    }

    private func refusal(of request: WholeRequest?) throws -> Refusal {
        guard case .failure(let refusal)? = request?.body else { throw Refusal(0, "not refused") }
        return refusal
    }

    @Test func requestsComeWhole() throws {
        try receive(.head(Self.head), body("{\"a\""), body(":1}"), .end(nil), .head(Self.head))
        #expect(try body(of: channel.readInbound()) == "{\"a\":1}")
        #expect(try channel.readInbound(as: WholeRequest.self) == nil)
        try receive(.end(nil))
        let second = try #require(try channel.readInbound(as: WholeRequest.self))
        #expect(try body(of: second) == "")
        #expect(!second.isAbandoned && !second.isLast)
    }

    @Test func theLastRequestOfAConnectionIsKnown() throws {
        var head = Self.head
        head.headerFields[.connection] = "Close"
        try receive(.head(head), .end(nil))
        #expect(try channel.readInbound(as: WholeRequest.self)?.isLast == true)
    }

    @Test(arguments: [(0, true), (1, false)])
    func aBodyHasABound(excess: Int, isTaken: Bool) throws {
        let half = String(repeating: "x", count: WholeRequestHandler.largestBody / 2)
        let rest = String(repeating: "y", count: excess)
        try receive(.head(Self.head), body(half), body(half), body(rest))
        // Refused only when it is over: who still writes does not read.
        #expect(try channel.readInbound(as: WholeRequest.self) == nil)
        try receive(.end(nil))
        let request = try #require(try channel.readInbound(as: WholeRequest.self))
        #expect(!request.isAbandoned)
        if isTaken {
            #expect(try body(of: request) == half + half)
        } else {
            #expect(try refusal(of: request).code == 413)
        }
        try receive(.head(Self.head), body("next"), .end(nil))
        #expect(try body(of: channel.readInbound()) == "next")
    }

    @Test(arguments: [false, true])
    func aBodyHasADeadline(isTooLarge: Bool) throws {
        try receive(.head(Self.head))
        if isTooLarge { try receive(body(String(repeating: "x", count: WholeRequestHandler.largestBody + 1))) }
        channel.embeddedEventLoop.advanceTime(by: WholeRequestHandler.bodyDeadline - .nanoseconds(1))
        // A byte now and then does not move it.
        try receive(body("x"))
        #expect(try channel.readInbound(as: WholeRequest.self) == nil)
        channel.embeddedEventLoop.advanceTime(by: .nanoseconds(1))
        let request = try #require(try channel.readInbound(as: WholeRequest.self))
        #expect(request.isAbandoned)
        #expect(try refusal(of: request).code == 408)
        try receive(body("x"), .end(nil), .head(Self.head), .end(nil))
        #expect(try channel.readInbound(as: WholeRequest.self) == nil)
    }

    @Test(arguments: [true, false])
    func theFirstHeadHasADeadline(arrives: Bool) throws {
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        channel.embeddedEventLoop.advanceTime(by: WholeRequestHandler.firstHeadDeadline - .nanoseconds(1))
        if arrives { try receive(.head(Self.head), .end(nil)) }
        channel.embeddedEventLoop.advanceTime(by: .nanoseconds(1))
        #expect(channel.isActive == arrives)
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive == arrives)
    }

    @Test func aWholeRequestHasNoDeadline() throws {
        try receive(.head(Self.head))
        try receive(.end(nil))
        #expect(try body(of: channel.readInbound()) == "")
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(try channel.readInbound(as: WholeRequest.self) == nil)
    }

    @Test func aRefusedBodyIsRefusedWhereItIsRead() async throws {
        let request = WholeRequest(abandoned: Self.head).request
        await #expect(throws: Refusal.self) { try await request.wholeBody() }
    }
}
