// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTP1
import Testing

@testable import ReferenceBackend

/// Requests as they are put together from what the parser finds.
struct WholeRequestTests {
    private var assembly = RequestAssembly()

    private static func head(
        _ fields: HTTPHeaders = ["Host": "localhost"], path: String = "/rps/pass1", version: HTTPVersion = .http1_1
    ) -> HTTPServerRequestPart {
        .head(HTTPRequestHead(version: version, method: .POST, uri: path, headers: fields))
    }

    private static func body(_ text: String) -> HTTPServerRequestPart { .body(ByteBuffer(string: text)) }

    private enum Seen: Equatable {
        case nothing
        case body(String)
        case refusal(Int)
        case malformed
    }

    private mutating func take(_ part: HTTPServerRequestPart) -> Seen {
        switch assembly.take(part) {
        case .nothing: .nothing
        case .malformed: .malformed
        case .whole(let request): Self.seen(request)
        }
    }

    private static func seen(_ request: WholeRequest) -> Seen {
        switch request.body {
        case .success(let body): .body(String(buffer: body))
        case .failure(let refusal): .refusal(refusal.code)
        }
    }

    @Test
    mutating func requestsComeWhole() {
        let parts = [Self.head(), Self.body("{\"a\""), Self.body(":1}"), .end(nil), Self.head(), .end(nil)]
        #expect(
            parts.map { take($0) } == [.nothing, .nothing, .nothing, .body("{\"a\":1}"), .nothing, .body("")])
        #expect(!assembly.isUnderWay)
    }

    @Test
    mutating func aRequestSaysWhatItIs() throws {
        let fields: HTTPHeaders = ["Host": "localhost:8001", "Cookie": "a=b; c=d", "X-Number": "1"]
        _ = take(Self.head(fields, path: "/a%20b?c=d"))
        guard case .whole(let request) = assembly.take(.end(nil)) else { return #expect(Bool(false), "not whole") }
        let head = request.head
        #expect(head.method == .post && head.path == "/a%20b?c=d" && head.authority == "localhost:8001")
        #expect(head.headerFields[.cookie] == "a=b; c=d")
        #expect(head.headerFields[try #require(HTTPField.Name("x-number"))] == "1")
    }

    /// Requests that a proxy would serve, and those that two readers might take for different ones.
    @Test(
        arguments: [
            (["Host": "localhost"], "http://localhost/"), (["Host": "localhost"], "*"), (["Host": "localhost"], ""),
            (["Host": ""], "/"), ([:], "/"), (["Host": "localhost", "host": "other"], "/"),
        ] as [(HTTPHeaders, String)])
    mutating func oneHostAndAPathAreNamed(_ fields: HTTPHeaders, _ path: String) {
        #expect(take(Self.head(fields, path: path)) == .malformed)
        // Nothing that follows is a request.
        #expect(take(.end(nil)) == .nothing)
        #expect(take(Self.head()) == .nothing)
        #expect(take(.end(nil)) == .nothing)
        #expect(!assembly.isUnderWay && assembly.giveUp() == nil)
    }

    @Test(
        arguments: [
            (nil, .http1_1, false), ("Close", .http1_1, true), ("keep-alive", .http1_0, false), (nil, .http1_0, true),
        ] as [(String?, HTTPVersion, Bool)])
    mutating func theLastRequestOfAConnectionIsKnown(
        _ connection: String?, _ version: HTTPVersion, _ isLast: Bool
    ) {
        var fields: HTTPHeaders = ["Host": "localhost"]
        if let connection { fields.add(name: "Connection", value: connection) }
        _ = take(Self.head(fields, version: version))
        guard case .whole(let request) = assembly.take(.end(nil)) else { return #expect(Bool(false), "not whole") }
        #expect(request.isLast == isLast)
    }

    @Test(arguments: [(0, true), (1, false)])
    mutating func aBodyHasABound(excess: Int, isTaken: Bool) {
        let half = String(repeating: "x", count: RequestAssembly.largestBody / 2)
        let rest = String(repeating: "y", count: excess)
        // Refused only when it is over: who still writes does not read.
        for part in [Self.head(), Self.body(half), Self.body(half), Self.body(rest)] {
            #expect(take(part) == .nothing)
            #expect(assembly.isUnderWay)
        }
        #expect(take(.end(nil)) == (isTaken ? .body(half + half) : .refusal(413)))
        #expect(take(Self.head()) == .nothing)
        #expect(take(Self.body("next")) == .nothing)
        #expect(take(.end(nil)) == .body("next"))
    }

    @Test(arguments: [false, true])
    mutating func aRequestIsGivenUpOnce(isTooLarge: Bool) {
        _ = take(Self.head())
        if isTooLarge { _ = take(Self.body(String(repeating: "x", count: RequestAssembly.largestBody + 1))) }
        let request = assembly.giveUp()
        #expect(request?.isAbandoned == true && request?.isLast == true)
        #expect(request.map(Self.seen) == .refusal(408))
        #expect(assembly.giveUp() == nil)
        for part in [Self.body("x"), .end(nil), Self.head(), .end(nil)] { #expect(take(part) == .nothing) }
    }

    @Test
    func aRefusedBodyIsRefusedWhereItIsRead() async throws {
        let head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/rps/pass1")
        let request = WholeRequest(abandoned: head).request
        await #expect(throws: Refusal.self) { try await request.wholeBody() }
    }
}
