// SPDX-License-Identifier: Apache-2.0

import Glibc
import LoginValues
import MPinClient

/// curl's connections by the port of this end: their sockets, and what they were opened for. Before a request is sent,
/// curl reports the port of its connection, but not the socket of a kept connection. Confined to the thread.
final class ConnectionSockets {
    /// More connections than curl keeps and runs at once. When it is reached, closed ones are removed.
    private static let capacity = 256

    private struct Connection {
        let socket: Int32
        let origin: Origin
        /// The keys of which the server had to have one.
        let pins: [PublicKeyPin]
        let speaksHTTP2: Bool

        func isFor(_ request: HTTPRequest) -> Bool { origin == request.url.origin && pins == request.pins }
    }

    private var connections: [Int: Connection] = [:]

    /// - Parameters:
    ///   - opened: sockets that were opened for a connection; one of them has the port.
    ///   - port: of this end of the connection.
    ///   - request: the request that the connection was opened for.
    func remember(_ opened: [Int32], port: Int, for request: HTTPRequest, speaksHTTP2: Bool) {
        guard let socket = opened.last(where: { Self.port(of: $0) == port }) else { return }
        if connections.count >= Self.capacity { connections = connections.filter { Self.port(of: $1.socket) == $0 } }
        connections[port] = Connection(
            socket: socket, origin: request.url.origin, pins: request.pins, speaksHTTP2: speaksHTTP2)
    }

    /// Whether a connection of HTTP/2 is open on which the request could go.
    func haveHTTP2(for request: HTTPRequest) -> Bool {
        connections.contains { port, connection in
            connection.speaksHTTP2 && connection.isFor(request) && Self.port(of: connection.socket) == port
        }
    }

    /// Whether a request may be sent on the kept connection with that port.
    ///
    /// The connection must be open, and opened for the same server and keys, which some versions of curl compare
    /// without regard to case. Data that the server sent before must not pass for the reply. HTTP/2 prevents that by a
    /// number for each request. With HTTP/1.1 a request that must not be repeated takes no kept connection, and any
    /// other request takes one on which no data waits.
    func isUsable(port: Int, for request: HTTPRequest) -> Bool {
        guard let connection = connections[port], connection.isFor(request), Self.port(of: connection.socket) == port,
            connection.speaksHTTP2 || request.isRepeatable
        else { return false }
        var byte: UInt8 = 0
        // Safe: at most the one byte is written. Nothing is taken: what waits for TLS stays there.
        let count = unsafe recv(connection.socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        if count > 0 { return connection.speaksHTTP2 }
        return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
    }

    /// - Returns: nil for a descriptor that is not a socket of the internet any more.
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
