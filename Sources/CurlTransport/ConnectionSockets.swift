// SPDX-License-Identifier: Apache-2.0

import Glibc
import LoginValues
import MPinClient

/// The sockets of curl's connections by the port of this end, and the keys that their servers had to have. Before a
/// request is sent curl tells which port its connection has, and of a kept one not the socket. Confined to the thread.
final class ConnectionSockets {
    /// More than curl keeps and runs at once; closed ones are forgotten then.
    private static let capacity = 256

    private enum State {
        /// A request is on its way, or failed.
        case busy
        case idle
        /// Nothing came behind a success of a request that is followed.
        case followable
    }

    private struct Connection {
        let socket: Int32
        let origin: Origin
        let pins: [PublicKeyPin]
        var state = State.busy
    }

    private var connections: [Int: Connection] = [:]

    /// Before a request is sent.
    ///
    /// - Parameters:
    ///   - opened: what was opened for the request; one of them has the port, or it takes a kept connection.
    ///   - port: of this end of its connection.
    func begin(_ request: HTTPRequest, port: Int, opened: [Int32]) {
        guard let socket = opened.last(where: { Self.port(of: $0) == port }) else {
            connections[port]?.state = .busy
            return
        }
        if connections.count >= Self.capacity { connections = connections.filter { Self.port(of: $1.socket) == $0 } }
        connections[port] = Connection(socket: socket, origin: request.url.origin, pins: request.pins)
    }

    /// A request was answered, by a success, on a connection that is kept.
    func end(_ request: HTTPRequest, port: Int) {
        connections[port]?.state = request.isFollowed ? .followable : .idle
    }

    /// Its connection is closed.
    func forget(port: Int) { connections[port] = nil }

    /// Whether curl, which takes any kept connection to a server, can only take one behind a request that is followed.
    func canFollow(to origin: Origin) -> Bool {
        connections = connections.filter { $1.origin != origin || Self.port(of: $1.socket) == $0 }
        let kept = connections.values.filter { $0.origin == origin && $0.state != .busy }
        return !kept.isEmpty && kept.allSatisfy { $0.state == .followable }
    }

    /// The socket of a connection that is open; nil where it is not known.
    func socket(port: Int) -> Int32? {
        guard let socket = connections[port]?.socket, Self.port(of: socket) == port else { return nil }
        return socket
    }

    /// Whether a request may be sent on the kept connection with that port. It was opened for the same keys, which some
    /// versions of curl compare without regard to case. Its last request is one that this may follow. And nothing waits
    /// on it: what comes before a request is sent is no answer to it.
    func isUsable(port: Int, for request: HTTPRequest) -> Bool {
        guard let connection = connections[port], connection.pins == request.pins,
            request.isRepeatable || connection.state == .followable, Self.port(of: connection.socket) == port
        else { return false }
        let socket = connection.socket
        var byte: UInt8 = 0
        // Safe: at most the one byte is written. Nothing is taken: what waits for TLS stays there.
        let count = unsafe recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
    }

    /// - Returns: nil for a descriptor that is no socket of the internet any more.
    private static func port(of socket: Int32) -> Int? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        // Safe: the call writes `length` bytes at most. IPv4 and IPv6 have the port at the same place.
        return unsafe withUnsafeMutablePointer(to: &address) { pointer -> Int? in
            let pointer = UnsafeMutableRawPointer(pointer)
            guard unsafe getsockname(socket, pointer.assumingMemoryBound(to: sockaddr.self), &length) == 0 else {
                return nil
            }
            let address = unsafe pointer.assumingMemoryBound(to: sockaddr_in.self).pointee
            guard address.sin_family == sa_family_t(AF_INET) || address.sin_family == sa_family_t(AF_INET6) else {
                return nil
            }
            return Int(UInt16(bigEndian: address.sin_port))
        }
    }
}
