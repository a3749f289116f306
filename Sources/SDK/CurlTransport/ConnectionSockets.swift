// SPDX-License-Identifier: Apache-2.0

import Glibc
import LoginValues

/// The sockets of curl's connections by the port of this end, and the keys that their servers had to have. Before a
/// request is sent curl tells which port its connection has, and of a kept one not the socket. Confined to the thread.
final class ConnectionSockets {
    /// More than curl keeps and runs at once; closed ones are forgotten then.
    private static let capacity = 256

    private struct Connection {
        let socket: Int32
        let pins: [PublicKeyPin]
    }

    private var connections: [Int: Connection] = [:]

    /// - Parameters:
    ///   - opened: sockets that were opened for a connection; one of them has the port.
    ///   - port: of this end of the connection.
    ///   - pins: of the request that it was opened for.
    func remember(_ opened: [Int32], port: Int, pins: [PublicKeyPin]) {
        guard let socket = opened.last(where: { Self.port(of: $0) == port }) else { return }
        if connections.count >= Self.capacity { connections = connections.filter { Self.port(of: $1.socket) == $0 } }
        connections[port] = Connection(socket: socket, pins: pins)
    }

    /// Whether a request may be sent on the kept connection with that port. It was opened for the same keys, which some
    /// versions of curl compare without regard to case. And nothing waits on it: what comes before a request is sent is
    /// no answer to it.
    func isUsable(port: Int, pins: [PublicKeyPin]) -> Bool {
        guard let connection = connections[port], connection.pins == pins, Self.port(of: connection.socket) == port
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
