// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import HTTPTypes
import LinuxSystem
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Testing

@testable import BackendHTTP
@testable import ReferenceBackend

/// The handlers of a connection, fed with the parser's parts: deadlines, ends, and held answers.
@MainActor @Suite struct RequestHandlerTests {
    private static let moment = TimeAmount.nanoseconds(1)

    private let channel = EmbeddedChannel()
    private let heard = Heard()

    init() throws {
        let rules = ConnectionRules(from: ClientAddressSource(), perAddress: 8)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(ConnectionHandler(taking: channel, rules: rules))
        try pipeline.addHandlers([HTTP1ToHTTPServerCodec(secure: false), RequestHandler(), heard])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    /// The requests and errors that reach the answering task.
    private final class Heard: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart

        var heads: [HTTPRequest] = []
        var ends = 0
        var errors: [any Error] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): heads.append(head)
            case .body: break
            case .end: ends += 1
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { errors.append(error) }
    }

    private func receive(
        _ method: HTTPMethod, _ path: String, _ fields: HTTPHeaders = ["Host": "localhost"],
        version: HTTPVersion = .http1_1
    ) {
        receive(.head(HTTPRequestHead(version: version, method: method, uri: path, headers: fields)))
    }

    private func receive(_ part: HTTPServerRequestPart) {
        // Not through the first handler, which takes bytes.
        guard let first = try? channel.pipeline.syncOperations.context(handlerType: ConnectionHandler.self) else {
            return
        }
        first.fireChannelRead(NIOAny(part))
        first.fireChannelReadComplete()
    }

    private func receive(_ path: String) { receive(.POST, path) }

    private func ask(_ path: String) {
        receive(path)
        receive(.end(nil))
    }

    private func answer() {
        channel.write(HTTPResponsePart.head(HTTPResponse(status: .ok)), promise: nil)
        channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
    }

    private func pass(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

    // MARK: Deadlines

    @Test(arguments: [true, false])
    func theFirstHeadHasADeadline(arrives: Bool) {
        pass(ConnectionState.firstHeadDeadline - Self.moment)
        if arrives { ask("/1") }
        pass(Self.moment)
        #expect(channel.isActive == arrives)
        // It is being answered, which may take any time.
        pass(.hours(1))
        #expect(channel.isActive == arrives)
    }

    @Test(arguments: [0, 1])
    func aBodyHasADeadline(requestsBefore: Int) {
        for _ in 0..<requestsBefore {
            ask("/before")
            answer()
            pass(.seconds(29))
        }
        receive("/slow")
        pass(ConnectionState.bodyDeadline - Self.moment)
        // A byte now and then does not extend the deadline.
        receive(.body(ByteBuffer(string: "x")))
        #expect(heard.errors.isEmpty)
        pass(Self.moment)
        #expect(heard.errors.count == 1 && heard.errors.first as? ConnectionState.BodyFault == .tooSlow)
        receive(.end(nil))
        ask("/later")
        #expect(heard.heads.last?.path == "/slow" && heard.ends == requestsBefore)
        #expect(channel.isActive)
        answer()
        #expect(!channel.isActive)
    }

    /// An answer before the body is complete does not extend it either.
    @Test func aBodyThatIsAnsweredBeforeHasADeadline() {
        receive("/1")
        answer()
        for _ in 1...15 {
            #expect(channel.isActive)
            pass(.seconds(1))
            receive(.body(ByteBuffer(string: "x")))
        }
        #expect(!channel.isActive)
    }

    @Test func aConnectionThatIsNotUsedIsClosed() {
        for _ in 0..<2 {
            ask("/1")
            pass(.hours(1))
            answer()
            pass(ConnectionState.idleDeadline - Self.moment)
            #expect(channel.isActive)
        }
        pass(Self.moment)
        #expect(!channel.isActive)
    }

    /// A server that ends waits for requests that have begun, and accepts nothing new afterwards.
    @Test(arguments: ["nothing", "a head", "a request that waits"])
    func aServerThatEndsTakesItsConnectionsWithIt(_ begun: String) {
        if begun == "a head" { receive("/1") } else if begun != "nothing" { ask("/1") }
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        pass(ConnectionState.farewellDeadline)
        #expect(channel.isActive == (begun != "nothing"))
        guard begun != "nothing" else { return }
        if begun == "a head" { receive(.end(nil)) }
        answer()
        #expect(!channel.isActive)
    }

    // MARK: Held answers

    enum Ending: CaseIterable { case inputClosed, failure, gone }

    private func finish(_ ending: Ending) async throws {
        switch ending {
        case .inputClosed: channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        case .failure: channel.pipeline.fireErrorCaught(ChannelError.inputClosed)
        case .gone: try await channel.close()
        }
    }

    private func hold(_ released: Eventually<Void>) {
        channel.hold(released)
        channel.embeddedEventLoop.run()
    }

    /// An answer is held only for a client that waits for it and for nothing else.
    @Test(.timeLimit(.minutes(10)), arguments: Ending.allCases, [true, false])
    func anAnswerIsHeldAsLongAsItsClientWaits(_ ending: Ending, endsBefore: Bool) async throws {
        ask("/1")
        if endsBefore { try await finish(ending) }
        let released = Eventually<Void>()
        hold(released)
        if !endsBefore { try await finish(ending) }
        try await released.value
    }

    @Test(.timeLimit(.minutes(10)), arguments: [true, false])
    func aSecondRequestEndsTheHold(_ comesBefore: Bool) async throws {
        ask("/1")
        if comesBefore { ask("/2") }
        let released = Eventually<Void>()
        hold(released)
        if !comesBefore { ask("/2") }
        try await released.value
    }

    /// The first result counts: nothing else has settled it.
    @Test func anAnswerIsHeld() async {
        ask("/1")
        let released = Eventually<Void>()
        hold(released)
        pass(.seconds(25))
        released.settle(.failure(CancellationError()))
        await #expect(throws: CancellationError.self) { try await released.value }
    }

    // MARK: Targets

    /// A whole address replaces the Host, `*` is for `OPTIONS`, and HTTP/1.0 names no host. RFC 9112, section 3.2.
    @Test(
        arguments: [
            (.GET, "http://other:80/a?b", .http1_1, "other:80", "/a?b"), (.GET, "HTTP://other", .http1_1, "other", "/"),
            (.GET, "https://other?b", .http1_1, "other", "/?b"), (.OPTIONS, "*", .http1_1, "localhost", "/"),
            (.GET, "/a", .http1_0, "localhost", "/a"), (.POST, "/a%20b?c=d", .http1_1, "localhost", "/a%20b?c=d"),
        ] as [(HTTPMethod, String, HTTPVersion, String, String)])
    func formsOfATarget(_ method: HTTPMethod, _ target: String, _ version: HTTPVersion, _ host: String, _ path: String)
    {
        receive(method, target, version: version)
        #expect(heard.heads.first?.authority == host && heard.heads.first?.path == path && heard.errors.isEmpty)
    }

    @Test func anOldRequestNamesNoHost() {
        receive(.GET, "/", [:], version: .http1_0)
        #expect(heard.heads.count == 1 && heard.heads.first?.authority == nil)
    }

    /// Requests for a proxy, and those that two readers might interpret differently.
    @Test(
        arguments: [
            (["Host": "localhost"], "http:///"), (["Host": "localhost"], "ftp://localhost/"),
            (["Host": "localhost"], "localhost:443"), (["Host": "a", "host": "b"], "http://localhost/"),
            ([:], "http://localhost/"), (["Host": "localhost"], "*"), (["Host": "localhost"], ""),
            (["Host": ""], "/"), ([:], "/"), (["Host": "localhost", "host": "other"], "/"),
        ] as [(HTTPHeaders, String)])
    func oneHostAndAPathAreNamed(_ fields: HTTPHeaders, _ path: String) {
        receive(.POST, path, fields)
        #expect(heard.errors.count == 1 && heard.errors.first is HTTPParserError)
        // Nothing afterwards is a request.
        receive(.end(nil))
        ask("/")
        #expect(heard.heads.isEmpty && heard.ends == 0)
    }

    @Test(
        arguments: [
            (nil, .http1_1, false), ("Close", .http1_1, true), ("keep-alive", .http1_0, false), (nil, .http1_0, true),
        ] as [(String?, HTTPVersion, Bool)])
    func theLastRequestOfAConnectionIsKnown(_ connection: String?, _ version: HTTPVersion, _ isLast: Bool) {
        var fields: HTTPHeaders = ["Host": "localhost"]
        if let connection { fields.add(name: "Connection", value: connection) }
        receive(.GET, "/", fields, version: version)
        receive(.end(nil))
        ask("/next")
        #expect((heard.heads.first?.headerFields[.connection] == "close") == isLast)
        #expect(heard.heads.count == (isLast ? 1 : 2))
    }
}
