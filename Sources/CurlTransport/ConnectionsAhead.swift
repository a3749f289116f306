// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Connections that are opened while a request waits for its reply, for the one behind it that must have a connection
/// of its own: that one then need not wait for a round trip. None of them ever carried anything. Confined to the
/// thread.
final class ConnectionsAhead {
    /// As many as requests run at once.
    private static let capacity = TransferLoop.maximumRunning

    /// Where a connection leads.
    private struct Peer: Equatable {
        let address: PeerAddress
        let port: UInt16

        /// - Parameter address: of the family that it names, `length` bytes long.
        @unsafe init?(_ address: UnsafeRawPointer, length: Int, family: Int32) {
            guard let peer = unsafe PeerAddress(address, length: length, family: family) else { return nil }
            self.address = peer
            // Safe: both families have the port at this place, within the length that `PeerAddress` checked.
            port = UInt16(bigEndian: unsafe address.loadUnaligned(as: sockaddr_in.self).sin_port)
        }
    }

    private struct Connection {
        let socket: Int32
        let peer: Peer
        let end: ContinuousClock.Instant
    }

    private let lifetime: Duration
    /// The newest last.
    private var connections: [Connection] = []

    /// - Parameter lifetime: after which one is closed. What is answered later is followed by an ordinary connection.
    init(lifetime: Duration) { self.lifetime = lifetime }

    deinit { closeAll() }

    /// Opens another connection to where `socket` leads.
    ///
    /// - Returns: its socket; nil where it cannot be opened, which costs nothing.
    func open(like socket: Int32) -> Int32? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        // Safe: the kernel writes `length` bytes at most, and reads as many as it wrote.
        let opened = unsafe withUnsafeMutablePointer(to: &storage) { pointer -> Connection? in
            let raw = UnsafeMutableRawPointer(pointer)
            let address = unsafe raw.assumingMemoryBound(to: sockaddr.self)
            guard unsafe getpeername(socket, address, &length) == 0 else { return nil }
            let family = Int32(unsafe address.pointee.sa_family)
            guard let peer = unsafe Peer(raw, length: Int(length), family: family) else { return nil }
            let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            let opened = Glibc.socket(family, type, 0)
            guard opened >= 0 else { return nil }
            guard unsafe connect(opened, address, length) == 0 || errno == EINPROGRESS else {
                close(opened)
                return nil
            }
            return Connection(socket: opened, peer: peer, end: .now + lifetime)
        }
        guard let opened else { return nil }
        if connections.count >= Self.capacity { close(connections.removeFirst().socket) }
        connections.append(opened)
        return opened.socket
    }

    /// No request comes for it: a server that serves one connection after the other must not wait for nothing.
    func giveUp(_ socket: Int32) {
        guard let index = connections.firstIndex(where: { $0.socket == socket }) else { return }
        close(connections.remove(at: index).socket)
    }

    /// - Parameter address: of the family that it names, `length` bytes long.
    /// - Returns: the socket of a connection that leads there, is whole, and on which nothing waits; it is the
    ///   caller's.
    @unsafe func take(_ address: UnsafeRawPointer, length: Int, family: Int32) -> Int32? {
        guard let peer = unsafe Peer(address, length: length, family: family) else { return nil }
        closeLate()
        while let index = connections.lastIndex(where: { $0.peer == peer }) {
            let socket = connections.remove(at: index).socket
            if Self.isWhole(socket) { return socket }
            close(socket)
        }
        return nil
    }

    func closeLate() {
        let now = ContinuousClock.now
        for connection in connections where connection.end <= now { close(connection.socket) }
        connections.removeAll { $0.end <= now }
    }

    func closeAll() {
        for connection in connections { close(connection.socket) }
        connections = []
    }

    /// When the first of them is closed; nil when there is none.
    var firstEnd: ContinuousClock.Instant? { connections.first?.end }

    /// Whether the other end has accepted, and has said nothing and not gone.
    private static func isWhole(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        // Safe: at most the one byte is written. On a connection that is not whole yet this is another error.
        let count = unsafe recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        guard count < 0, errno == EAGAIN || errno == EWOULDBLOCK else { return false }
        var descriptor = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&descriptor, 1, 0) == 1 && descriptor.revents == Int16(POLLOUT)
    }
}
