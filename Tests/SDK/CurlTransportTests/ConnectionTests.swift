// SPDX-License-Identifier: Apache-2.0

import CCurl
import CurlTransport
import Dispatch
import Glibc
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@Suite struct Connections {
    /// A server that closes after each reply without announcing it. The request on the kept connection is sent again.
    @Test(arguments: [HTTPRequest.Method.get, .post])
    func thatCloseInsteadOfReplyingRepeatARequest(_ method: HTTPRequest.Method) async throws {
        let received = ReceivedRequests()
        try await withServer { connection in
            while let request = connection.readRequest() {
                guard received.append(request) != 1 else { return }
                connection.reply(200)
            }
        } _: { server, transport in
            for path in ["/pass1", "/codeStatus", "/next"] {
                _ = try await transport.send(HTTPRequest(method, try server.address(path), isRepeatable: true))
            }
            #expect(received.all.map(\.target) == ["/pass1", "/codeStatus", "/codeStatus", "/next"])
        }
    }

    /// Bytes that the server sends on another connection are no answer to the request, and later bytes are none to
    /// another request.
    @Test func areOpenedForARequestThatCountsOnceAndClosedBehindIt() async throws {
        let received = ReceivedRequests()
        try await withEcho(received) { server, transport in
            for (path, isRepeatable, accepted) in [
                ("/pass1", true, 1), ("/pass2", false, 2), ("/authenticate", false, 3), ("/pass1", true, 3),
            ] {
                let request = HTTPRequest(.post, try server.address(path), isRepeatable: isRepeatable)
                #expect(text(try await transport.send(request).body) == path)
                #expect(server.accepted == accepted)
                #expect(clientSockets(to: server.port) == 1 || !isRepeatable)
            }
            #expect(clientSockets(to: server.port) == 1)
            #expect(received.all.count == 4)
        }
    }

    /// A copy of the reply, or other bytes, that arrived before the next request was sent.
    @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ncopy", "\r\n", "x"])
    func onWhichSomethingWaitsCarryNoRequest(_ unasked: String) async throws {
        let isAnswered = DispatchSemaphore(value: 0)
        try await withServer { connection in
            while let request = connection.readRequest() {
                connection.reply(200, Array(request.target.utf8))
                if request.target == "/1" {
                    isAnswered.waitPatiently()
                    connection.write(unasked)
                    connection.waitForClose()
                }
            }
        } _: { server, transport in
            var replies: [String] = []
            for path in ["/1", "/2", "/3"] {
                let request = HTTPRequest(.get, try server.address(path), isRepeatable: true)
                replies.append(text(try await transport.send(request).body))
                if path == "/1" { isAnswered.signal() }
                if path == "/1" { try await until { waits(for: server.port) } }
            }
            #expect(replies == ["/1", "/2", "/3"])
            #expect(server.accepted == (curlSeesWhatWaits ? 2 : 3))
        }
    }

    /// curl 8 (Debian 13) notices waiting bytes and opens a new connection, which is kept. With curl 7.88 (Debian 12)
    /// the transport notices them and opens a connection for this request only.
    private var curlSeesWhatWaits: Bool { unsafe curl_version_info(CURLVERSION_FIRST).pointee.version_num >= 0x8_0000 }

    /// Connections are kept until a reply contradicts its request. The server's connections are not used again after
    /// that.
    @Test func areKeptUntilTheirServerIsDistrusted() async throws {
        try await withServer { connection in
            while connection.readRequest() != nil { connection.reply(200) }
        } _: { server, transport in
            let request = HTTPRequest(.get, try server.address(), isRepeatable: true)
            for accepted in [1, 1] {
                _ = try await transport.send(request)
                #expect(server.accepted == accepted)
            }
            transport.distrustConnections(to: request.url.origin)
            for accepted in [2, 3] {
                _ = try await transport.send(request)
                #expect(server.accepted == accepted)
            }
        }
    }

    /// A copy of a refusal must not answer another request.
    @Test(arguments: [302, 401, 403, 410, 500])
    func thatCarriedARefusalAreClosed(_ status: Int) async throws {
        try await withServer { connection in
            while connection.readRequest() != nil { connection.reply(status) }
        } _: { server, transport in
            for accepted in 1...3 {
                let request = HTTPRequest(.get, try server.address(), isRepeatable: true)
                #expect(try await transport.send(request).status == status)
                #expect(server.accepted == accepted)
                #expect(clientSockets(to: server.port) == 0)
            }
        }
    }

    /// Each connection of this server replies once, then closes instead of replying again.
    @Test func ofAServerThatClosedOneCarryNoRequestThatCountsOnce() async throws {
        let received = ReceivedRequests()
        try await withServer { connection in
            guard let request = connection.readRequest() else { return }
            _ = received.append(request)
            connection.reply(200)
            if let another = connection.readRequest() { _ = received.append(another) }
        } _: { server, transport in
            for path in ["/service", "/pass1"] {
                _ = try await transport.send(HTTPRequest(.post, try server.address(path), isRepeatable: true))
            }
            for path in ["/pass2", "/authenticate"] {
                _ = try await transport.send(HTTPRequest(.post, try server.address(path)))
            }
            #expect(received.all.map(\.target) == ["/service", "/pass1", "/pass1", "/pass2", "/authenticate"])
            #expect(server.accepted == 4)
        }
    }

    @Test(arguments: [HTTPRequest.Method.get, .post])
    func neverCarryARequestTwiceThatCountsOnce(_ method: HTTPRequest.Method) async throws {
        let received = ReceivedRequests()
        try await withServer { connection in
            while let request = connection.readRequest() {
                guard received.append(request) != 2 else { return }
                connection.reply(200)
            }
        } _: { server, transport in
            _ = try await transport.send(HTTPRequest(method, try server.address("/pass1"), isRepeatable: true))
            _ = try await transport.send(HTTPRequest(method, try server.address("/pass2")))
            let error = await failure(of: HTTPRequest(method, try server.address("/authenticate")), transport)
            #expect(error?.code == .transferFailed)
            #expect(error?.requestMayHaveBeenSent == true)
            #expect(error?.detail.contains("closed instead of a reply") == true)
            #expect(received.all.map(\.target) == ["/pass1", "/pass2", "/authenticate"])
            #expect(server.accepted == 3)
        }
    }

    @Test func areBoundedAndServeManyRequests() async throws {
        try await withServer { connection in
            while connection.readRequest() != nil {
                usleep(2000)
                connection.reply(200, Array("ok".utf8))
            }
        } _: { server, transport in
            let address = try server.address()
            let replies = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<64 {
                    group.addTask {
                        let request = HTTPRequest(.get, address, deadline: .seconds(60), isRepeatable: true)
                        return text(try await transport.send(request).body)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(replies == Array(repeating: "ok", count: 64))
            #expect((1...16).contains(server.accepted))
        }
    }

    @Test func requestsThatWaitForATurnKeepTheirDeadline() async throws {
        let received = ReceivedRequests()
        try await withServer { connection in
            guard let request = connection.readRequest() else { return }
            _ = received.append(request)
            connection.waitForClose()
        } _: { server, transport in
            let address = try server.address()
            try await withThrowingTaskGroup(of: HTTPTransportError?.self) { group in
                for _ in 0..<16 {
                    group.addTask { await failure(of: HTTPRequest(.get, address, deadline: .seconds(60)), transport) }
                }
                try await until { received.all.count >= 16 }
                let late = await failure(of: HTTPRequest(.get, address, deadline: .milliseconds(100)), transport)
                #expect(late?.code == .timedOut)
                #expect(late?.requestMayHaveBeenSent == false)
                group.cancelAll()
                for try await error in group { #expect(error?.code == .cancelled) }
            }
            #expect(server.accepted == 16)
        }
    }

    @Test func areNotMadeForACancelledTask() async throws {
        try await withServer { _ in
        } _: { server, transport in
            let address = try server.address()
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return await failure(of: HTTPRequest(.get, address), transport)
            }
            task.cancel()
            let error = await task.value
            #expect(error?.code == .cancelled)
            #expect(error?.requestMayHaveBeenSent == false)
            #expect(server.accepted == 0)
        }
    }

    @Test func thatAreRefusedFail() async throws {
        let server = try ScriptedServer { _ in }
        let address = try server.address()
        server.stop()
        let error = await failure(of: HTTPRequest(.get, address), try CurlHTTPTransport())
        #expect(error?.code == .connectionFailed, "\(String(describing: error))")
        #expect(error?.requestMayHaveBeenSent == false)
    }

    @Test func toUnknownNamesFail() async throws {
        let address = try WebAddress("https://login.kiosk.invalid/service?secret=1")
        let error = await failure(of: HTTPRequest(.get, address, deadline: .seconds(60)), try CurlHTTPTransport())
        #expect(error?.code == .nameNotResolved, "\(String(describing: error))")
        #expect(error?.requestMayHaveBeenSent == false)
        #expect(error?.detail.contains("login.kiosk.invalid") == true)
        #expect(error?.detail.contains("secret") == false)
    }

    @Test func carryNoHeaderThatEndsItsLine() async throws {
        try await withServer { _ in
        } _: { server, transport in
            for header in [
                HTTPHeader("X-A", "b\r\nX-Injected: c"), HTTPHeader("X-A", "b\u{0}"), HTTPHeader("X A", "b"),
                HTTPHeader("", "b"), HTTPHeader("X-A:", "b"),
            ] {
                let error = await failure(of: HTTPRequest(.get, try server.address(), headers: [header]), transport)
                #expect(error?.code == .transferFailed)
                #expect(error?.requestMayHaveBeenSent == false)
            }
            #expect(server.accepted == 0)
        }
    }

    @Test func endWithTheTransport() async throws {
        let received = ReceivedRequests()
        try await withServer { connection in
            while let request = connection.readRequest() {
                if received.append(request) == 0 { connection.reply(200) } else { connection.waitForClose() }
            }
        } _: { server, transport in
            let address = try server.address()
            _ = try await transport.send(HTTPRequest(.get, address, isRepeatable: true))
            #expect(clientSockets(to: server.port) == 1)
            async let pending = failure(of: HTTPRequest(.get, address, deadline: .seconds(60)), transport)
            try await until { received.all.count >= 2 }
            await transport.shutdown()
            #expect(await pending?.code == .cancelled)
            #expect(await pending?.requestMayHaveBeenSent == true)
            #expect(clientSockets(to: server.port) == 0)
            let later = await failure(of: HTTPRequest(.get, address), transport)
            #expect(later?.code == .cancelled)
            #expect(later?.requestMayHaveBeenSent == false)
        }
    }

    @Test func ofFailedRequestsAreClosed() async throws {
        try await withServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
        } _: { server, transport in
            for _ in 0..<50 { _ = await failure(of: HTTPRequest(.get, try server.address()), transport) }
            #expect(clientSockets(to: server.port) == 0)
        }
    }
}

private func hasSomething(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) >= 0
}

/// Whether bytes wait at this process's end of a connection to `port`, or there is no connection any more.
func waits(for port: UInt16) -> Bool { descriptors(to: port).allSatisfy(hasSomething) }
