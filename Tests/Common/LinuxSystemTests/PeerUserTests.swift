// SPDX-License-Identifier: Apache-2.0

import Glibc
import Patience
import Testing

@testable import LinuxSystem

@Suite("The user at the other end of a connection") struct PeerUserTests {
    /// A connection within this machine, with both ends in this process.
    struct Connection {
        private let listener: LoopbackListener
        private let client: LoopbackConnection

        /// - Parameter user: the user who made the socket; nil for this one.
        init(user: uid_t? = nil) throws {
            listener = try LoopbackListener()
            client = try LoopbackConnection(port: listener.port, user: user)
        }

        var clientPort: UInt16 { client.port }
        var serverPort: UInt16 { listener.port }
        var user: uid_t? { PeerUser.ofLoopbackConnection(from: clientPort, at: "127.0.0.1", to: serverPort) }
    }

    @Test func isWhoMadeTheSocket() throws { #expect(try Connection().user == geteuid()) }

    /// `fchown` gives a socket to another user, as if that user's process had made it.
    @Test(.enabled(if: geteuid() == 0, "only root may give a socket away"))
    func isNotTheUserWhoAsks() throws { #expect(try Connection(user: 4711).user == 4711) }

    @Test func isKnownHoweverManyConnectionsThereAre() throws {
        let first = try Connection()
        for _ in 0..<300 { #expect(try [Connection().user, first.user] == [geteuid(), geteuid()]) }
    }

    @Test func isUnknownWhereThereIsNoConnection() throws {
        let connection = try Connection()
        let (client, server) = (connection.clientPort, connection.serverPort)
        #expect(PeerUser.ofLoopbackConnection(from: client, at: "127.0.0.2", to: server) == nil)
        #expect(PeerUser.ofLoopbackConnection(from: client, at: "127.0.0.1", to: client) == nil)
        #expect(PeerUser.ofLoopbackConnection(from: client, at: "::1", to: server) == nil)
    }

    @Test func answersThatAreCutShortNameNoUser() {
        for length in 0..<88 {
            #expect(PeerUser.user(in: [UInt8](repeating: 0xFF, count: length), from: 0xFFFF) == nil)
        }
    }
}
