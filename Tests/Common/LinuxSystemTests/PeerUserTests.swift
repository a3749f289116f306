// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import LinuxSystem

@Suite("The user at the other end of a connection") struct PeerUserTests {
    /// A connection within this machine, with both ends in this process.
    struct Connection: ~Copyable {
        private let listener: Int32
        private let client: Int32
        let clientPort: UInt16
        let serverPort: UInt16

        init() throws {
            let (listener, client) = (Self.socket(), Self.socket())
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
            let bound = unsafe Self.with(&address) { unsafe bind(listener, $0, $1) }
            try #require(bound == 0 && listen(listener, 1) == 0)
            address.sin_port = Self.port(of: listener).bigEndian
            let connected = unsafe Self.with(&address) { unsafe connect(client, $0, $1) }
            try #require(connected == 0)
            (self.listener, self.client) = (listener, client)
            (serverPort, clientPort) = (Self.port(of: listener), Self.port(of: client))
        }

        deinit {
            close(client)
            close(listener)
        }

        func give(to user: uid_t) { fchown(client, user, gid_t.max) }

        private static func socket() -> Int32 {
            Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        }

        private static func with<Result>(
            _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
        ) -> Result {
            unsafe withUnsafeMutablePointer(to: &address) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }

        private static func port(of descriptor: Int32) -> UInt16 {
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            _ = unsafe with(&address) { pointer, _ in unsafe getsockname(descriptor, pointer, &length) }
            return UInt16(bigEndian: address.sin_port)
        }
    }

    @Test func isWhoMadeTheSocket() throws {
        let connection = try Connection()
        let user = PeerUser.ofLoopbackConnection(
            from: connection.clientPort, at: "127.0.0.1", to: connection.serverPort)
        #expect(user == geteuid())
    }

    /// `fchown` gives a socket to another user, as if that user's process had made it.
    @Test(.enabled(if: geteuid() == 0, "only root may give a socket away"))
    func isNotTheUserWhoAsks() throws {
        let connection = try Connection()
        connection.give(to: 4711)
        let user = PeerUser.ofLoopbackConnection(
            from: connection.clientPort, at: "127.0.0.1", to: connection.serverPort)
        #expect(user == 4711)
    }

    @Test func isKnownHoweverManyConnectionsThereAre() throws {
        let first = try Connection()
        for _ in 0..<300 {
            let connection = try Connection()
            // Not a dictionary, because connections to different servers may have the same port.
            for (client, server) in [
                (connection.clientPort, connection.serverPort), (first.clientPort, first.serverPort),
            ] {
                let user = PeerUser.ofLoopbackConnection(from: client, at: "127.0.0.1", to: server)
                #expect(user == geteuid())
            }
        }
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
