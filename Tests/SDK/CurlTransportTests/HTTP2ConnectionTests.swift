// SPDX-License-Identifier: Apache-2.0

import Dispatch
import KioskTestKit
import LoginValues
import MPinClient
import Patience
import Testing

@testable import CurlTransport

/// One connection carries one request after the other where the server chooses HTTP/2, also non-idempotent ones.
@Suite(.serialized, .timeLimit(.minutes(10))) struct HTTP2Connections {
    let authority: TestAuthority

    init() throws {
        authority = try TestAuthority()
        _ = try authority.issue("DNS:localhost,IP:127.0.0.1")
    }

    /// A login as the SDK asks: which of its requests may be repeated.
    private static let login = [("/pass1", true), ("/pass2", false), ("/authenticate", false)]

    /// Runs `body` with a server that serves each connection by `script`, and a transport that believes it.
    private func withServer(
        _ protocols: [String] = ["h2", "http/1.1"], _ script: @escaping ScriptedServer.Script,
        _ body: (ScriptedServer, CurlHTTPTransport) async throws -> Void
    ) async throws {
        let server = try ScriptedServer(tls: try ServerTLS(protocols, authority), script)
        defer { server.stop() }
        let transport = try CurlHTTPTransport(.init(authorityFile: authority.file))
        try await body(server, transport)
        await transport.shutdown()
    }

    /// The same with frames: `answer` replies to each request, and ends the connection with false.
    private func withFrames(
        _ received: ReceivedRequests = ReceivedRequests(),
        _ answer: @escaping @Sendable (FrameConnection, FrameConnection.Request) -> Bool,
        _ body: (ScriptedServer, CurlHTTPTransport) async throws -> Void
    ) async throws {
        try await withServer { connection in
            guard let frames = FrameConnection(connection) else { return }
            while let request = frames.readRequest() {
                _ = received.append(request.received)
                guard answer(frames, request) else { return }
            }
        } _: { server, transport in
            try await body(server, transport)
        }
    }

    /// The same with a server that answers each request with its path.
    private func withEcho(
        _ received: ReceivedRequests = ReceivedRequests(),
        _ body: (ScriptedServer, CurlHTTPTransport) async throws -> Void
    ) async throws {
        try await withFrames(received) { frames, request in
            Self.echo(frames, request)
            return true
        } _: { server, transport in
            try await body(server, transport)
        }
    }

    private func request(
        _ path: String, isRepeatable: Bool, at server: ScriptedServer, host: String = "127.0.0.1",
        deadline: Duration = .seconds(60)
    ) throws -> HTTPRequest {
        HTTPRequest(
            .post, try server.address(path, host: host), body: SecretBytes(copying: Array("{}".utf8)),
            deadline: deadline, isRepeatable: isRepeatable)
    }

    private static func echo(_ frames: FrameConnection, _ request: FrameConnection.Request) {
        frames.reply(request.stream, 200, Array(request.received.target.utf8))
    }

    // MARK: Which connection

    @Test func carriesAWholeLoginOnOneConnection() async throws {
        let received = ReceivedRequests()
        try await withEcho(received) { server, transport in
            for (path, isRepeatable) in Self.login + Self.login {
                let reply = try await transport.send(try request(path, isRepeatable: isRepeatable, at: server))
                #expect(reply.status == 200 && text(reply.body) == path)
            }
            #expect(server.accepted == 1)
            #expect(received.all.map(\.target) == (Self.login + Self.login).map(\.0))
            #expect(received.all.allSatisfy { $0.body == Array("{}".utf8) })
        }
    }

    /// Without ALPN, or where the server likes HTTP/1.1 better: a non-idempotent request has a connection of its own.
    @Test(arguments: [[], ["http/1.1"], ["http/1.1", "h2"]])
    func isTheServersChoice(_ protocols: [String]) async throws {
        try await withServer(protocols) { connection in
            while let request = connection.readRequest() { connection.reply(200, Array(request.target.utf8)) }
        } _: { server, transport in
            for (number, (path, isRepeatable)) in Self.login.enumerated() {
                let reply = try await transport.send(try request(path, isRepeatable: isRepeatable, at: server))
                #expect(text(reply.body) == path && server.accepted == number + 1)
            }
        }
    }

    /// The words of a reply do not make HTTP/2 of a connection.
    @Test func isNotBelievedFromAStatusLine() async throws {
        try await withServer(["http/1.1"]) { connection in
            while let request = connection.readRequest() {
                let path = request.target
                connection.write("HTTP/2 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)")
            }
        } _: { server, transport in
            for (number, (path, isRepeatable)) in Self.login.enumerated() {
                _ = try? await transport.send(try request(path, isRepeatable: isRepeatable, at: server))
                #expect(server.accepted == number + 1)
            }
        }
    }

    /// Both names lead to the same machine, whose certificate has both. Each is trusted for itself alone.
    @Test func connectionsAreOfOneName() async throws {
        try await withEcho { server, transport in
            for (host, accepted) in [("127.0.0.1", 1), ("localhost", 2), ("127.0.0.1", 2), ("localhost", 2)] {
                for isRepeatable in [true, false] {
                    _ = try await transport.send(
                        try request("/", isRepeatable: isRepeatable, at: server, host: host))
                    #expect(server.accepted == accepted)
                }
            }
        }
    }

    /// A connection that was opened without pins carries no request with pins, nor the other way round.
    @Test func connectionsAreOfOneSetOfPins() async throws {
        let pin = try PublicKeyPin(try authority.pin(of: "server"))
        _ = try authority.issue("DNS:localhost", for: "other")
        let other = try PublicKeyPin(try authority.pin(of: "other"))
        let received = ReceivedRequests()
        try await withEcho(received) { server, transport in
            for isRepeatable in [true, false] {
                for pins in [[], [pin], [pin, other]] {
                    var request = try request("/", isRepeatable: isRepeatable, at: server)
                    request.pins = pins
                    #expect(try await transport.send(request).status == 200)
                }
                #expect(server.accepted == 3)
            }
            for isRepeatable in [true, false] {
                var request = try request("/", isRepeatable: isRepeatable, at: server)
                request.pins = [other]
                let error = await failure(of: request, transport)
                #expect(error?.code == .serverKeyRefused && error?.requestMayHaveBeenSent == false)
            }
            #expect(received.all.count == 6)
        }
    }

    @Test func ofADistrustedServerCarriesOneRequestAConnection() async throws {
        try await withEcho { server, transport in
            for (isDistrusted, accepted) in [(false, 1), (true, 2), (true, 3)] {
                let request = try request("/pass2", isRepeatable: false, at: server)
                if isDistrusted { transport.distrustConnections(to: request.url.origin) }
                _ = try await transport.send(request)
                #expect(server.accepted == accepted)
            }
        }
    }

    /// A copy of a refusal finds no other request: it has a number.
    @Test(arguments: [401, 403, 410, 500]) func goesOnBehindARefusal(_ status: Int) async throws {
        try await withFrames { frames, request in
            frames.reply(request.stream, request.received.target == "/authenticate" ? status : 200)
            return true
        } _: { server, transport in
            for path in ["/pass1", "/authenticate", "/pass2"] {
                let reply = try await transport.send(try request(path, isRepeatable: false, at: server))
                #expect(reply.status == (path == "/authenticate" ? status : 200))
            }
            #expect(server.accepted == 1)
        }
    }

    /// A server that closes idle connections may be about to: a non-idempotent request would be lost.
    @Test func isOpenedAnewForWhatCountsOnceBehindAPause() async throws {
        try await withEcho { server, transport in
            try await withEcho { other, otherTransport in
                _ = try await transport.send(try request("/pass1", isRepeatable: true, at: server))
                _ = try await otherTransport.send(try request("/pass1", isRepeatable: true, at: other))
                // By the clock of the library, in whole seconds.
                let idle = ContinuousClock.now
                let pause = Duration.seconds(Transfer.maximumAgeCountingOnce + 1)
                try await Patience.until { ContinuousClock.now - idle > pause }
                _ = try await otherTransport.send(try request("/pass1", isRepeatable: true, at: other))
                #expect(other.accepted == 1)
                _ = try await transport.send(try request("/pass2", isRepeatable: false, at: server))
                #expect(server.accepted == 2 && clientSockets(to: server.port) == 1)
            }
        }
    }

    // MARK: Servers that end something

    @Test func aStreamThatIsRefusedIsAskedForAgainWhereThatDoesNoHarm() async throws {
        let received = ReceivedRequests()
        try await withFrames(received) { frames, request in
            if received.all.count == 1 { frames.reset(request.stream, 7) } else { Self.echo(frames, request) }
            return true
        } _: { server, transport in
            let reply = try await transport.send(try request("/pass1", isRepeatable: true, at: server))
            #expect(text(reply.body) == "/pass1" && received.all.count == 2)
        }
    }

    /// As servers do after many requests on one connection. Code 13 asks for HTTP/1.1 instead.
    @Test(arguments: End.amid.filter { !$0.leavesRequestOpen && "\($0)" != "reset 13" })
    func aRequestThatMayBeRepeatedSurvivesTheEndOfItsConnection(_ end: End) async throws {
        let received = ReceivedRequests()
        try await withServer { connection in
            guard let frames = FrameConnection(connection) else { return }
            while let request = frames.readRequest() {
                if received.append(request.received) != 1 {
                    Self.echo(frames, request)
                } else if !end.happens(connection, frames, request.stream) {
                    return
                }
            }
        } _: { server, transport in
            for path in ["/settings", "/permit", "/permit"] {
                let reply = try await transport.send(try request(path, isRepeatable: true, at: server))
                #expect(text(reply.body) == path)
            }
            #expect(received.all.map(\.target) == ["/settings", "/permit", "/permit", "/permit"])
        }
    }

    /// The ways in which a server ends a stream or a connection.
    enum End: CustomStringConvertible {
        /// Code of RFC 9113, section 7.
        case resetStream(UInt8)
        /// As proxies do that are loaded again; the last stream that is answered.
        case farewell(UInt32, closes: Bool)
        case close(byReset: Bool)

        static let between: [End] = [
            .farewell(1, closes: false), .farewell(1, closes: true), .close(byReset: false), .close(byReset: true),
        ]
        static let amid =
            between + [.farewell(3, closes: false), .farewell(3, closes: true)]
            + [0, 1, 2, 7, 8, 13].map(End.resetStream)

        var description: String {
            switch self {
            case .resetStream(let code): "reset \(code)"
            case .farewell(let last, let closes): "farewell \(last), closes: \(closes)"
            case .close(let byReset): "close, by reset: \(byReset)"
            }
        }

        /// Whether the connection stays open and the request may get no other end than its deadline.
        var leavesRequestOpen: Bool { if case .farewell(_, closes: false) = self { true } else { false } }

        /// - Returns: whether the connection goes on.
        func happens(_ connection: ServerConnection, _ frames: FrameConnection, _ stream: UInt32) -> Bool {
            switch self {
            case .resetStream(let code): frames.reset(stream, code)
            case .farewell(let last, let closes):
                frames.goAway(last)
                return !closes
            case .close(let byReset):
                if byReset { connection.resetOnClose() }
                return false
            }
            return true
        }
    }

    /// Pass 2 finds the connection of pass 1 closed, or about to be.
    @Test(arguments: End.between) func anEndBetweenTwoRequestsIsSeen(_ end: End) async throws {
        let received = ReceivedRequests()
        let isAnswered = DispatchSemaphore(value: 0)
        try await withServer { connection in
            guard let frames = FrameConnection(connection) else { return }
            while let request = frames.readRequest() {
                _ = received.append(request.received)
                Self.echo(frames, request)
                guard request.received.target == "/pass1" else { continue }
                isAnswered.waitPatiently()
                guard end.happens(connection, frames, request.stream) else { return }
            }
        } _: { server, transport in
            _ = try await transport.send(try request("/pass1", isRepeatable: true, at: server))
            isAnswered.signal()
            try await until { waits(for: server.port) }
            for path in ["/pass2", "/authenticate"] {
                let reply = try await transport.send(try request(path, isRepeatable: false, at: server))
                #expect(text(reply.body) == path)
            }
            #expect(received.all.map(\.target) == ["/pass1", "/pass2", "/authenticate"])
            #expect(server.accepted == 2)
        }
    }

    /// In the place of a reply to pass 2, which the server did not begin (a farewell to 1), or perhaps did. By RFC 9113
    /// a stream that is refused was not begun, and may be asked for again. The server's word is not taken for it.
    @Test(arguments: End.amid) func anEndAmidARequestNeverSendsItTwice(_ end: End) async throws {
        let received = ReceivedRequests()
        try await withServer { connection in
            guard let frames = FrameConnection(connection) else { return }
            while let request = frames.readRequest() {
                _ = received.append(request.received)
                if request.received.target != "/pass2" {
                    Self.echo(frames, request)
                } else if !end.happens(connection, frames, request.stream) {
                    return
                }
            }
        } _: { server, transport in
            _ = try await transport.send(try request("/pass1", isRepeatable: true, at: server))
            let pass2 = try request(
                "/pass2", isRepeatable: false, at: server, deadline: .seconds(end.leavesRequestOpen ? 2 : 60))
            let error = await failure(of: pass2, transport)
            #expect(error?.requestMayHaveBeenSent == true, "\(error as Any)")
            if case .farewell = end {} else { #expect(error?.code == .transferFailed, "\(error as Any)") }
            // Other requests are sent and answered.
            for isRepeatable in [true, false] {
                let next = try request("/authenticate", isRepeatable: isRepeatable, at: server)
                #expect(text(try await transport.send(next).body) == "/authenticate")
            }
            #expect(received.all.map(\.target) == ["/pass1", "/pass2", "/authenticate", "/authenticate"])
        }
    }

    /// The connection of a request that was not answered in time is closed.
    @Test func aConnectionWhoseRequestIsGivenUpIsClosed() async throws {
        try await withFrames { frames, request in
            if request.received.target != "/slow" { Self.echo(frames, request) }
            return true
        } _: { server, transport in
            _ = try await transport.send(try request("/pass1", isRepeatable: true, at: server))
            let slow = try request("/slow", isRepeatable: true, at: server, deadline: .milliseconds(300))
            #expect(await failure(of: slow, transport)?.code == .timedOut)
            #expect(clientSockets(to: server.port) == 0)
        }
    }

    // MARK: Servers that lie

    /// A reply that has been there before, or that belongs to a request that was not made yet, is no answer.
    @Test(arguments: ["twice", "late", "ahead", "dataBehind", "pushed"])
    func aReplyIsOfItsRequest(_ lie: String) async throws {
        let received = ReceivedRequests()
        try await withFrames(received) { frames, request in
            let copy = Array("copy".utf8)
            if lie == "late", request.stream > 1 { frames.reply(request.stream - 2, 200, copy) }
            Self.echo(frames, request)
            switch lie {
            case "twice": frames.reply(request.stream, 200, copy)
            case "ahead": frames.reply(request.stream + 2, 200, copy)
            case "dataBehind": frames.write(.data, FrameConnection.ends, on: request.stream, copy)
            case "pushed":
                let promised: [UInt8] = [0, 0, 0, 2, 0x82, 0x87, 0x84, 0x01] + HeaderFields.text("localhost")
                frames.write(.push, FrameConnection.endsHeader, on: request.stream, promised)
                frames.reply(2, 200, copy)
            default: break
            }
            return true
        } _: { server, transport in
            for (path, isRepeatable) in Self.login + Self.login {
                let asked = try request(path, isRepeatable: isRepeatable, at: server)
                do throws(HTTPTransportError) {
                    let reply = try await transport.send(asked)
                    #expect(text(reply.body) == path)
                } catch {
                    #expect(error.code == .transferFailed, "\(error)")
                }
            }
            let once = received.all.map(\.target).filter { $0 != "/pass1" }
            #expect(once.count <= 4, "\(once)")
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "220 mail.example.com ESMTP\r\n", "\u{0}\u{0}\u{0}",
        String(repeating: "\u{7f}", count: 40_000),
    ])
    func garbageFails(_ garbage: String) async throws {
        try await withServer { connection in
            connection.write(garbage)
            _ = connection.read(24)
        } _: { server, transport in
            for isRepeatable in [true, false] {
                let error = await failure(of: try request("/", isRepeatable: isRepeatable, at: server), transport)
                #expect(error?.code == .transferFailed, "\(error as Any)")
            }
        }
    }

    /// Header fields without end, one that is longer than all may be, and few bytes that stand for many.
    @Test(arguments: ["endless", "long", "packed", "interim"]) func aHugeHeaderIsCut(_ way: String) async throws {
        let filler = String(repeating: "a", count: 4000)
        try await withFrames { frames, request in
            let fields = FrameConnection.head(200, (0..<4).map { HTTPHeader("x-\($0)", filler) })
            switch way {
            case "endless":
                frames.write(.headers, on: request.stream, fields)
                while frames.write(.continuation, on: request.stream, Array(fields.dropFirst(5))) {}
                return false
            case "long": frames.writeHead(request.stream, 200, (0..<10).map { HTTPHeader("x-\($0)", filler) }, 1)
            case "packed":
                // Entry 62 is the first one of the table that the reply itself fills (RFC 7541, section 2.3.3).
                let entry =
                    [0x08] + HeaderFields.text("200") + [0x40] + HeaderFields.text("x") + HeaderFields.text(filler)
                frames.write(
                    .headers, FrameConnection.ends | FrameConnection.endsHeader, on: request.stream,
                    entry + [UInt8](repeating: 0xbe, count: 10_000))
            default:
                for _ in 0..<10_000
                where !frames.write(
                    .headers, FrameConnection.endsHeader, on: request.stream,
                    FrameConnection.head(103, [HTTPHeader("x", "aaaaaaaaaaaaaaaa")]))
                { return false }
            }
            return true
        } _: { server, transport in
            let error = await failure(of: try request("/pass2", isRepeatable: false, at: server), transport)
            #expect(
                error.map { [.replyTooLong, .transferFailed].contains($0.code) } == true, "\(error as Any)")
        }
    }

    @Test(arguments: ["body", "length"]) func aReplyThatIsCutFails(_ place: String) async throws {
        try await withFrames { frames, request in
            let headers = place == "length" ? [HTTPHeader("Content-Length", "10")] : []
            frames.writeHead(request.stream, 200, headers)
            frames.write(.data, place == "length" ? 1 : 0, on: request.stream, [1, 2, 3])
            return false
        } _: { server, transport in
            let error = await failure(of: try request("/pass2", isRepeatable: false, at: server), transport)
            #expect(error?.code == .transferFailed && error?.requestMayHaveBeenSent == true, "\(error as Any)")
        }
    }

    @Test func manyRequestsAtOnceHaveTheirOwnReplies() async throws {
        try await withEcho { server, transport in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<64 {
                    let request = try request("/\(number)", isRepeatable: number.isMultiple(of: 2), at: server)
                    group.addTask { text(try await transport.send(request).body) == "/\(number)" }
                }
                for try await isRight in group { #expect(isRight) }
            }
            #expect((1...48).contains(server.accepted))
        }
    }

    /// Whatever frames come back, the answer is a reply or an error, and the transport goes on working.
    @Test func randomFramesDoNoHarm() async throws {
        let seed: UInt64 = 20_261_127
        var generator = SplitMix64(seed: seed)
        let sound =
            FrameConnection.frame(
                .headers, FrameConnection.endsHeader, on: 1,
                FrameConnection.head(200, [HTTPHeader("content-type", "application/json")]))
            + FrameConnection.frame(.ping, on: 0, [1, 2, 3, 4, 5, 6, 7, 8])
            + FrameConnection.frame(.data, on: 1, Array("{\"y\":".utf8))
            + FrameConnection.frame(.data, FrameConnection.ends, on: 1, Array("1}".utf8))
        let replies = (0..<150).map { _ in damaged(sound, &generator) }
        try await withServer { connection in
            guard let frames = FrameConnection(connection), let request = frames.readRequest(),
                let index = Int(request.received.target.dropFirst())
            else { return }
            if index < replies.count { connection.write(replies[index]) } else { Self.echo(frames, request) }
        } _: { server, transport in
            for index in replies.indices {
                let request = try request("/\(index)", isRepeatable: false, at: server)
                let error = await failure(of: request, transport)
                #expect(error?.code != .timedOut, "seed \(seed), reply \(index): \(replies[index])")
            }
            // By another name, and so on a connection that no reply has harmed: the server may be closing the last one.
            let last = try request("/\(replies.count)", isRepeatable: false, at: server, host: "localhost")
            #expect(text(try await transport.send(last).body) == "/\(replies.count)", "seed \(seed)")
        }
    }
}
