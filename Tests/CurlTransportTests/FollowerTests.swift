// SPDX-License-Identifier: Apache-2.0

import CurlTransport
import Dispatch
import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// Which kept connection a request that counts once may take: pass 2, behind its pass 1.
@Suite struct Followers {
    /// Pass 2 goes behind pass 1: what answers one is no answer to the other. The final call does not.
    @Test func goBehindTheOneThatTheyFollow() async throws {
        let received = ReceivedRequests()
        try await withEcho(received) { server, transport in
            for (path, role, accepted) in [
                ("/permit", Role.repeatable, 1), ("/pass1", .followed, 1), ("/pass2", .follower, 1),
                ("/authenticate", .alone, 2), ("/pass1", .followed, 2), ("/pass2", .follower, 2),
            ] {
                let request = role.request(to: try server.address(path))
                #expect(text(try await transport.send(request).body) == path)
                #expect(server.accepted == accepted, "\(path)")
                #expect(clientSockets(to: server.port) == 1)
            }
            #expect(received.all.count == 6)
        }
    }

    private enum Role {
        case repeatable, followed, follower, alone

        func request(to address: WebAddress) -> HTTPRequest {
            var request = HTTPRequest(.post, address, isRepeatable: self == .repeatable || self == .followed)
            request.isFollowed = self == .followed
            request.follows = self == .follower
            return request
        }
    }

    /// A proxy may hold back a copy of any reply until the next request comes. One of another pass 2 would do for this
    /// one, so between the two there has to be a pass 1, which such a copy meets first.
    @Test(arguments: [["/pass1", "/pass2"], ["/pass1", "/permit"], ["/permit"], []])
    func goBehindNothingElse(_ before: [String]) async throws {
        try await withServer { connection in
            while connection.readRequest() != nil { connection.reply(200) }
        } _: { server, transport in
            for path in before {
                let role: Role = path == "/pass1" ? .followed : path == "/pass2" ? .follower : .repeatable
                _ = try await transport.send(role.request(to: server.address(path)))
            }
            #expect(server.accepted == (before.isEmpty ? 0 : 1))
            _ = try await transport.send(Role.follower.request(to: server.address("/pass2")))
            #expect(server.accepted == (before.isEmpty ? 1 : 2))
            #expect(clientSockets(to: server.port) == (before.isEmpty ? 0 : 1), "its own is closed behind it")
        }
    }

    /// curl takes any kept connection, and cannot be told which.
    @Test func goOnKeptConnectionsOnlyWhereEachWouldDo() async throws {
        let isSecondThere = DispatchSemaphore(value: 0)
        try await withServer { connection in
            while let request = connection.readRequest() {
                if request.target == "/slow" { isSecondThere.waitPatiently() }
                connection.reply(200)
            }
        } _: { server, transport in
            async let slow = transport.send(Role.repeatable.request(to: server.address("/slow")))
            try await until { server.accepted == 1 }
            _ = try await transport.send(Role.followed.request(to: server.address("/pass1")))
            #expect(server.accepted == 2)
            // While the other one is busy there is one that it can take.
            _ = try await transport.send(Role.follower.request(to: server.address("/pass2")))
            #expect(server.accepted == 2)
            _ = try await transport.send(Role.followed.request(to: server.address("/pass1")))
            isSecondThere.signal()
            _ = try await slow
            _ = try await transport.send(Role.follower.request(to: server.address("/pass2")))
            #expect(server.accepted == 3)
            #expect(clientSockets(to: server.port) == 2)
        }
    }

    /// A copy of pass 1's reply, or the server's end of the connection, is there before pass 2 is sent.
    @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ncopy", "x", nil])
    func doNotGoWhereSomethingWaits(_ unasked: String?) async throws {
        let received = ReceivedRequests()
        let isAnswered = DispatchSemaphore(value: 0)
        try await withServer { connection in
            while let request = connection.readRequest() {
                _ = received.append(request)
                connection.reply(200, Array(request.target.utf8))
                guard request.target == "/pass1" else { continue }
                isAnswered.waitPatiently()
                guard let unasked else { return }
                connection.write(unasked)
                return connection.waitForClose()
            }
        } _: { server, transport in
            _ = try await transport.send(Role.followed.request(to: server.address("/pass1")))
            isAnswered.signal()
            try await until { waits(for: server.port) }
            let reply = try await transport.send(Role.follower.request(to: server.address("/pass2")))
            #expect(text(reply.body) == "/pass2")
            #expect(received.all.map(\.target) == ["/pass1", "/pass2"])
            #expect(server.accepted == 2)
        }
    }

    /// It may have arrived, and is not sent again, as a request would be that may be repeated.
    @Test func areNotRepeatedWhereTheServerClosesInsteadOfReplying() async throws {
        let received = ReceivedRequests()
        try await withServer { connection in
            while let request = connection.readRequest() {
                guard received.append(request) == 0 else { return }
                connection.reply(200)
            }
        } _: { server, transport in
            _ = try await transport.send(Role.followed.request(to: server.address("/pass1")))
            let error = await failure(of: Role.follower.request(to: try server.address("/pass2")), transport)
            #expect(error?.code == .transferFailed)
            #expect(error?.requestMayHaveBeenSent == true)
            #expect(received.all.map(\.target) == ["/pass1", "/pass2"])
            #expect(server.accepted == 1)
        }
    }

    /// What answered pass 1 made no sense, or refused it.
    @Test(arguments: [200, 403])
    func doNotGoBehindAReplyThatIsNotBelieved(_ status: Int) async throws {
        try await withServer { connection in
            while let request = connection.readRequest() { connection.reply(request.target == "/pass1" ? status : 200) }
        } _: { server, transport in
            let address = try server.address("/pass1")
            _ = try await transport.send(Role.followed.request(to: address))
            if status == 200 { transport.distrustConnections(to: address.origin) }
            _ = try await transport.send(Role.follower.request(to: server.address("/pass2")))
            #expect(server.accepted == 2)
        }
    }
}
