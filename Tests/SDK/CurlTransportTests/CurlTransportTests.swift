// SPDX-License-Identifier: Apache-2.0

import CurlTransport
import Dispatch
import Glibc
import KioskTestKit
import LoginValues
import MPinClient
import Patience
import Synchronization
import Testing

/// Runs `body` with a scripted server and a transport, and stops both afterwards.
func withServer(
    _ configuration: CurlHTTPTransport.Configuration = .init(), _ script: @escaping ScriptedServer.Script,
    _ body: (ScriptedServer, CurlHTTPTransport) async throws -> Void
) async throws {
    let server = try ScriptedServer(script)
    defer { server.stop() }
    let transport = try CurlHTTPTransport(configuration)
    try await body(server, transport)
    await transport.shutdown()
}

/// Runs `body` with a server that answers each request with its path and records it.
func withEcho(
    _ received: ReceivedRequests, _ body: (ScriptedServer, CurlHTTPTransport) async throws -> Void
) async throws {
    try await withServer { connection in
        while let request = connection.readRequest() {
            _ = received.append(request)
            connection.reply(200, Array(request.target.utf8))
        }
    } _: { server, transport in
        try await body(server, transport)
    }
}

/// Waits for an event of a server or the kernel.
func until(_ isSo: () -> Bool, file: String = #fileID, line: Int = #line) async throws {
    try await Patience.until(file: file, line: line, isSo)
}

extension DispatchSemaphore {
    /// Waits for the test on a server's thread, which must end when the test has failed.
    func waitPatiently() { _ = wait(timeout: .now() + 120) }
}

/// The error of a request; nil when it got a reply.
func failure(of request: HTTPRequest, _ transport: CurlHTTPTransport) async -> HTTPTransportError? {
    do throws(HTTPTransportError) {
        _ = try await transport.send(request)
        return nil
    } catch { return error }
}

func text(_ bytes: SecretBytes) -> String {
    bytes.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
}

/// The protocols of a transport, each as a server offers it.
enum SpokenProtocol: String, CaseIterable, Sendable {
    case plain, http1OverTLS, http2

    /// For the server's side.
    func tls(_ authority: TestAuthority) throws -> ServerTLS? {
        switch self {
        case .plain: nil
        case .http1OverTLS: try ServerTLS(["http/1.1"], authority)
        case .http2: try ServerTLS(["h2", "http/1.1"], authority)
        }
    }

    /// Serves one connection in the protocol.
    func serve(
        _ connection: ServerConnection, _ received: ReceivedRequests, _ behaviours: [HTTPTransportContract.Behaviour]
    ) {
        guard self == .http2 else {
            while let request = connection.readRequest() {
                switch behaviours[received.append(request)] {
                case .reply(let status, let headers, let body): connection.reply(status, headers: headers, body)
                case .silence: return connection.waitForClose()
                case .cut: return
                }
            }
            return
        }
        guard connection.agreed == "h2", let frames = FrameConnection(connection) else { return }
        while let request = frames.readRequest() {
            switch behaviours[received.append(request.received)] {
            case .reply(let status, let headers, let body): frames.reply(request.stream, status, headers: headers, body)
            case .silence: return frames.waitForClose()
            case .cut: return
            }
        }
    }
}

@Test(arguments: SpokenProtocol.allCases) func keepsTheTransportContract(_ spoken: SpokenProtocol) async throws {
    let authority = try TestAuthority()
    _ = try authority.issue("IP:127.0.0.1")
    let servers = Mutex<[ScriptedServer]>([])
    defer { for server in servers.withLock(\.self) { server.stop() } }
    try await HTTPTransportContract.check { behaviours in
        let received = ReceivedRequests()
        let server = try ScriptedServer(tls: try spoken.tls(authority)) { spoken.serve($0, received, behaviours) }
        servers.withLock { $0.append(server) }
        return HTTPTransportContract.Subject(
            transport: try CurlHTTPTransport(.init(authorityFile: authority.file)), address: try server.address(),
            received: { received.all })
    }
}

/// The requests that arrived at a server, in order.
final class ReceivedRequests: Sendable {
    private let requests = Mutex<[HTTPTransportContract.Received]>([])

    var all: [HTTPTransportContract.Received] { requests.withLock(\.self) }

    /// - Returns: the request's index.
    func append(_ request: HTTPTransportContract.Received) -> Int {
        requests.withLock { requests in
            requests.append(request)
            return requests.count - 1
        }
    }
}

@Suite struct Replies {
    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", 200, "abcde"),
        ("HTTP/1.1 204 No Content\r\n\r\n", 204, ""),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok", 201, "ok"),
        ("HTTP/1.0 200 OK\r\n\r\nuntil the end", 200, "until the end"),
        ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 8\r\n\r\nnot gzip", 200, "not gzip"),
    ])
    func areRead(_ reply: String, _ status: Int, _ body: String) async throws {
        try await withServer { connection in
            _ = connection.readRequest()
            connection.write(reply)
        } _: { server, transport in
            let response = try await transport.send(HTTPRequest(.get, try server.address("/service")))
            #expect(response.status == status)
            #expect(text(response.body) == body)
        }
    }

    @Test func carryTheHeadersOfTheFinalReplyOnly() async throws {
        try await withServer { connection in
            _ = connection.readRequest()
            connection.write(
                "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\nHTTP/1.1 200 OK\r\nRetry-After: 7\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n0\r\nX-Late: 1\r\n\r\n")
        } _: { server, transport in
            let response = try await transport.send(HTTPRequest(.get, try server.address()))
            #expect(response.headers.map(\.name) == ["Retry-After", "Transfer-Encoding"])
            #expect(response.headers.first?.value == "7")
        }
    }

    @Test func areAskedForWithoutAnythingOfCurlsOwn() async throws {
        let received = ReceivedRequests()
        try await withServer(.init(userAgent: "login-kiosk/1")) { connection in
            while let request = connection.readRequest() {
                _ = received.append(request)
                connection.reply(200)
            }
        } _: { server, transport in
            _ = try await transport.send(HTTPRequest(.post, try server.address("/pass1")))
            #expect(
                Set(received.all[0].headers.map { $0.name.lowercased() })
                    == ["host", "accept", "user-agent", "content-length"])
            #expect(received.all[0].header("user-agent") == "login-kiosk/1")
        }
    }

    /// The bytes that a peer sends before it closes, and whether it closes with a reset.
    @Test(
        arguments: [
            "HT", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n",
            "HTTP/1.1 200 OK\r\nContent-Le",
            "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
        ], [false, true])
    func cutShortAreNoReplies(_ start: String, _ byReset: Bool) async throws {
        try await withServer { connection in
            _ = connection.readRequest()
            connection.write(start)
            if byReset { connection.resetOnClose() }
        } _: { server, transport in
            let error = await failure(of: HTTPRequest(.post, try server.address()), transport)
            #expect(error?.code == .transferFailed, "\(String(describing: error))")
            #expect(error?.requestMayHaveBeenSent == true)
        }
    }

    @Test(arguments: [
        "hello\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "\u{0}\u{1}\u{2}",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\n{}abc",
    ])
    func thatAreNotHTTPFail(_ reply: String) async throws {
        try await withServer { connection in
            _ = connection.readRequest()
            connection.write(reply)
        } _: { server, transport in
            let error = await failure(of: HTTPRequest(.get, try server.address()), transport)
            #expect(error?.code == .transferFailed, "\(String(describing: error))")
            #expect(error?.requestMayHaveBeenSent == true)
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n\r\n", "aaaaaaaaaaaaaaaa"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "10\r\naaaaaaaaaaaaaaaa\r\n"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n", ""),
        ("HTTP/1.1 200 OK\r\n", "X-More: aaaaaaaaaaaaaaaa\r\n"),
        ("", "HTTP/1.1 100 Continue\r\nX-More: aaaaaaaaaaaaaaaa\r\n\r\n"),
    ])
    func withoutEndAreCut(_ start: String, _ rest: String) async throws {
        try await withServer { connection in
            _ = connection.readRequest()
            connection.write(start)
            if rest.isEmpty { connection.waitForClose() }
            while !rest.isEmpty, connection.write(rest) {}
        } _: { server, transport in
            let error = await failure(of: HTTPRequest(.get, try server.address(), deadline: .seconds(60)), transport)
            #expect(error?.code == .replyTooLong, "\(String(describing: error))")
            #expect(error?.requestMayHaveBeenSent == true)
        }
    }

    @Test func withOneEndlessHeaderLineAreCut() async throws {
        try await withServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nX-More: ")
            while connection.write("aaaaaaaaaaaaaaaa") {}
        } _: { server, transport in
            let error = await failure(of: HTTPRequest(.get, try server.address(), deadline: .seconds(60)), transport)
            #expect(
                error.map { [.replyTooLong, .transferFailed].contains($0.code) } == true, "\(String(describing: error))"
            )
        }
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\nX-Slow: ", "HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n"])
    func thatComeByteByByteMeetTheDeadline(_ start: String) async throws {
        try await withServer { connection in
            _ = connection.readRequest()
            connection.write(start)
            while connection.write("a") { usleep(10_000) }
        } _: { server, transport in
            let error = await failure(
                of: HTTPRequest(.get, try server.address(), deadline: .milliseconds(400)), transport)
            #expect(error?.code == .timedOut)
            #expect(error?.requestMayHaveBeenSent == true)
        }
    }

    /// Any bytes give a reply or an error, and the transport still works.
    @Test func ofRandomBytesDoNoHarm() async throws {
        let seed: UInt64 = 20_261_121
        var generator = SplitMix64(seed: seed)
        let sound = Array(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
                .utf8)
        let replies = (0..<200).map { _ in damaged(sound, &generator) }
        let wellBehaved = try ScriptedServer { connection in
            while connection.readRequest() != nil { connection.reply(200, Array("well".utf8)) }
        }
        defer { wellBehaved.stop() }
        try await withServer { connection in
            guard let index = connection.readRequest().flatMap({ Int($0.target.dropFirst()) }) else { return }
            connection.write(replies[index])
        } _: { server, transport in
            for index in replies.indices {
                let error = await failure(of: HTTPRequest(.get, try server.address("/\(index)")), transport)
                #expect(error?.code != .timedOut, "seed \(seed), reply \(index): \(replies[index])")
            }
            let response = try await transport.send(HTTPRequest(.get, try wellBehaved.address()))
            #expect(text(response.body) == "well", "seed \(seed)")
        }
    }
}

/// A copy of some bytes with one to four changes.
func damaged(_ sound: [UInt8], _ generator: inout SplitMix64) -> [UInt8] {
    var reply = sound
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<reply.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: reply[place] = UInt8.random(in: .min ... .max, using: &generator)
        case 1: reply.removeSubrange(place..<min(place + 5, reply.count - 1))
        default: reply.insert(contentsOf: reply[place...].prefix(9), at: place)
        }
    }
    return reply
}

/// Number of descriptors of this process that are connected to `port`.
func clientSockets(to port: UInt16) -> Int { descriptors(to: port).count }

/// Descriptors of this process that are connected to `port`; other tests' descriptors come and go.
func descriptors(to port: UInt16) -> [Int32] {
    (0..<1024).filter { descriptor in
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getpeername(descriptor, $0, &length) == 0
            }
        }
        return isConnected && address.sin_family == AF_INET && UInt16(bigEndian: address.sin_port) == port
    }
}
