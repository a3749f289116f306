// SPDX-License-Identifier: Apache-2.0

import CurlTransport
import Glibc
import KioskTestKit
import LoginValues
import MPinClient
import Synchronization
import Testing

@Suite struct Connections {
    @Test func areKeptForTheNextRequest() async throws {
        try await withServer { connection in
            while connection.readRequest() != nil { connection.reply(200) }
        } _: { server, transport in
            for _ in 0..<5 { _ = try await transport.send(HTTPRequest(.get, try server.address(), isRepeatable: true)) }
            #expect(server.accepted == 1)
        }
    }

    /// A server that closes after each reply without saying so: the request that took the kept connection goes out again.
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

    @Test func carryARequestThatCountsOnceWhenTheyJustCarriedAReply() async throws {
        try await withServer { connection in
            while connection.readRequest() != nil { connection.reply(200) }
        } _: { server, transport in
            _ = try await transport.send(HTTPRequest(.post, try server.address("/pass1"), isRepeatable: true))
            _ = try await transport.send(HTTPRequest(.post, try server.address("/pass2")))
            _ = try await transport.send(HTTPRequest(.post, try server.address("/authenticate")))
            #expect(server.accepted == 1)
        }
    }

    /// curl counts whole seconds of idleness.
    @Test func thatWereIdleCarryRepeatableRequestsOnly() async throws {
        try await withServer { connection in
            while connection.readRequest() != nil { connection.reply(200) }
        } _: { server, transport in
            for isRepeatable in [true, true, false] {
                _ = try await transport.send(HTTPRequest(.get, try server.address(), isRepeatable: isRepeatable))
                #expect(server.accepted == (isRepeatable ? 1 : 2))
                try await Task.sleep(for: .milliseconds(isRepeatable ? 2100 : 0))
            }
        }
    }

    /// Every connection of this server replies once and closes instead of replying again.
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
            #expect(server.accepted == 1)
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
                while received.all.count < 16 { await Task.yield() }
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
            _ = try await transport.send(HTTPRequest(.get, address))
            #expect(clientSockets(to: server.port) == 1)
            async let pending = failure(of: HTTPRequest(.get, address, deadline: .seconds(60)), transport)
            while received.all.count < 2 { await Task.yield() }
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

    /// Descriptors of this process that are connected to `port`; other tests' descriptors come and go.
    private func clientSockets(to port: UInt16) -> Int {
        (0..<1024).count { descriptor in
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isConnected = unsafe withUnsafeMutablePointer(to: &address) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe getpeername(Int32(descriptor), $0, &length) == 0
                }
            }
            return isConnected && address.sin_family == AF_INET && UInt16(bigEndian: address.sin_port) == port
        }
    }
}
