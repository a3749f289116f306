// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Hummingbird
import KioskPorts
import KioskTestKit
import LinuxSystem
import NIOCore
import NIOEmbedded
import Patience
import Testing

@testable import BackendHTTP
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The connections that make room for others.
@Suite(.timeLimit(.minutes(10))) struct ConnectionBoundsTests {
    /// A listener's bounds with connections.
    private final class Door {
        let bounds: ConnectionBounds
        private let maximum: Int
        private var addresses: [ObjectIdentifier: ClientAddress] = [:]

        init(perAddress: Int, maximum: Int) {
            bounds = ConnectionBounds(perAddress: perAddress, maximum: maximum)
            self.maximum = maximum
        }

        /// - Returns: nil when it is refused.
        func open(from number: Int, isProxy: Bool = false) throws -> EmbeddedChannel? {
            let channel = EmbeddedChannel()
            let rules = ConnectionRules(from: ClientAddressSource(), perAddress: maximum)
            try channel.pipeline.syncOperations.addHandler(ConnectionHandler(taking: channel, rules: rules))
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            let address = ClientAddress("192.0.2.\(number)") ?? .unknown
            addresses[ObjectIdentifier(channel)] = address
            return bounds.open(channel, from: address, isProxy: isProxy) ? channel : nil
        }

        func open(_ count: Int, from number: Int, isProxy: Bool = false) throws -> [EmbeddedChannel] {
            try (0..<count).map { _ in try #require(try open(from: number, isProxy: isProxy)) }
        }

        func begin(_ channel: EmbeddedChannel) { answering(channel, true) }

        func ask(_ channel: EmbeddedChannel) {
            answering(channel, true)
            answering(channel, false)
        }

        func close(_ channel: EmbeddedChannel) {
            bounds.close(channel, from: addresses[ObjectIdentifier(channel)] ?? .unknown)
        }

        private func answering(_ channel: EmbeddedChannel, _ isAnswering: Bool) {
            bounds.setAnswering(channel, from: addresses[ObjectIdentifier(channel)] ?? .unknown, isAnswering)
        }
    }

    private func areOpen(_ channels: [EmbeddedChannel]) -> Bool { channels.allSatisfy { $0.isActive } }

    @Test func atTheBoundOfAnAddressTheOldestSilentOneMakesRoom() throws {
        let door = Door(perAddress: 4, maximum: 100)
        let others = try door.open(4, from: 2)
        let first = try door.open(4, from: 1)
        door.ask(first[0])
        let more = try door.open(2, from: 1)
        #expect(first.map(\.isActive) == [true, false, false, true])
        #expect(areOpen(more + others))
    }

    /// A client with one request on each connection keeps out no new client.
    @Test func thoseThatAskedMakeRoomWhereTheyAreMost() throws {
        let door = Door(perAddress: 4, maximum: 100)
        let first = try door.open(4, from: 1)
        for channel in first { door.ask(channel) }
        door.ask(first[0])
        let newcomers = try door.open(2, from: 1)
        #expect(first.map(\.isActive) == [true, false, false, true])
        #expect(areOpen(newcomers))
        // Half of the bound must come before one of those is closed.
        let last = try door.open(2, from: 1)
        #expect((first + newcomers + last).map(\.isActive) == [true, false, false, true, false, false, true, true])
    }

    @Test func noneMakesRoomWhileItIsAnswered() throws {
        let door = Door(perAddress: 2, maximum: 3)
        let first = try door.open(2, from: 1)
        for channel in first { door.begin(channel) }
        #expect(try door.open(from: 1) == nil)
        let other = try #require(try door.open(from: 2))
        door.begin(other)
        #expect(try door.open(from: 3) == nil)
        door.ask(first[1])
        #expect(try door.open(from: 1) != nil)
        #expect((first + [other]).map(\.isActive) == [true, false, true])
        door.close(first[0])
        #expect(try door.open(from: 3) != nil)
    }

    /// In a full listener the address with the most connections makes room, and never a proxy, which stands for many.
    @Test func aFullListenerMakesRoom() throws {
        let door = Door(perAddress: 4, maximum: 8)
        let greedy = try door.open(4, from: 1)
        let proxied = try door.open(2, from: 2, isProxy: true)
        let modest = try door.open(2, from: 3)
        door.begin(greedy[0])
        let newcomers = try door.open(3, from: 4)
        // If all have as many the oldest is closed.
        #expect(greedy.map(\.isActive) == [true, false, false, false])
        #expect(areOpen(newcomers + modest))
        for channel in greedy + modest + newcomers { door.begin(channel) }
        #expect(try door.open(from: 5) == nil)
        #expect(areOpen(proxied))
        door.close(newcomers[0])
        #expect(try door.open(from: 5) != nil)
    }

    /// The bound on requests equals that on connections, because a connection of HTTP/2 carries many.
    @Test func requestsAtOnceAreBounded() throws {
        let bounds = ConnectionBounds(perAddress: 2, maximum: 4)
        let addresses = try (1...4).map { try #require(ClientAddress("192.0.2.\($0)")) }
        func begin(_ number: Int, isProxy: Bool = false) -> Bool {
            bounds.beginRequest(from: addresses[number], isProxy: isProxy)
        }
        #expect((0..<3).map { _ in begin(0) } == [true, true, false])
        #expect([begin(1, isProxy: true), begin(1, isProxy: true), begin(1, isProxy: true)] == [true, true, false])
        #expect(!begin(2))
        bounds.endRequest(from: addresses[0])
        #expect(begin(2) && !begin(0))
    }

    /// Incomplete requests of one address, each after a complete one. New connections of this and other addresses are
    /// answered.
    @Test func halfRequestsOfOneAddressLeaveRoom() async throws {
        try await withBackend(options: ["--connections-per-address", "4"]) { backend in
            let crowd = IdleCrowd(port: backend.addresses.publicPort)
            let half = "GET /status HTTP/1.1\r\nHost: a\r\n\r\nGET /status HTTP/1.1\r\nHo"
            for _ in 0..<4 {
                try await crowd.come(8, bound: 4, saying: half)
                // Their complete requests may still be answered.
                try await Patience.until { (try? await backend.client.get("/status").status) == 200 }
            }
            await crowd.end()
        }
    }

    /// Requests that are pipelined and whose answers nobody reads fill every connection of an address. They make room
    /// for a person at that address.
    @Test func clientsThatNeverReadLeaveRoom() async throws {
        try await withBackend(options: ["--connections-per-address", "4"]) { backend in
            let crowd = IdleCrowd(port: backend.addresses.publicPort, reads: false)
            // More than the server reads: a client that does not read learns of a close by a reset only, which the
            // kernel sends if bytes were left unread.
            let asking = String(repeating: "GET /page.js HTTP/1.1\r\nHost: a\r\n\r\n", count: 20_000)
            for _ in 0..<3 {
                try await crowd.come(4, bound: 4, saying: asking)
                // Some may still be answered into the buffers of both kernels.
                try await Patience.until { (try? await backend.client.get("/status").status) == 200 }
            }
            await crowd.end()
        }
    }

    /// The deadline holds for each listener of the backend and of the D-TAs, because all are a `WebServer`.
    @Test func aClientThatNeverReadsIsClosed() async throws {
        let port = Eventually<Int>()
        let router = Router(context: BasicRequestContext.self)
        router.get("large") { _, _ in
            Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: 7, count: 1 << 20)))
        }
        var rules = ConnectionRules(from: ClientAddressSource(), perAddress: 4)
        rules.stall = .milliseconds(20)
        let server = WebServer(
            responder: router.buildResponder(), connections: rules, host: "127.0.0.1", port: 0,
            logger: LogCapture().logger, whenBound: { port.settle(.success($0)) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            let crowd = IdleCrowd(port: try await port.value, reads: false)
            // More than the server reads of a client that does not: closing then resets the connection.
            let asking = String(repeating: "GET /large HTTP/1.1\r\nHost: a\r\n\r\n", count: 20_000)
            // Returns when the server has closed all.
            try await crowd.come(1, bound: 0, saying: asking)
            group.cancelAll()
        }
    }
}
