// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A TCP connection to a server of this test. Its calls block for up to `patience` seconds.
final class LoopbackConnection {
    static let patience = 60

    private let descriptor: Int32
    private(set) var received: [UInt8] = []
    /// Whether the server has closed it.
    private(set) var hasEnded = false

    /// - Parameter user: the user who owns the connection. Only root may give a socket to another user.
    /// - Returns: nil when nothing listens there.
    init?(port: Int, receiveBuffer: Int32? = nil, user: uid_t? = nil) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: LoopbackConnection.patience, tv_usec: 0)
        // Safe: both calls read the variable that they are lent, of the size that they are told.
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if var receiveBuffer {
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        if let user, fchown(descriptor, user, gid_t.max) != 0 { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        // Safe: the call reads the variable while it lasts.
        let status = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { return nil }
    }

    deinit { Glibc.close(descriptor) }

    var text: String { String(decoding: received, as: UTF8.self) }

    func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            // Safe: the call reads the bytes while it lasts.
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Tells the server that nothing more is sent.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Receives once.
    ///
    /// - Returns: false when nothing came in time, or the server has closed.
    @discardableResult
    func receive() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        // Safe: the call writes no more than the array holds.
        let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count == 0 || (count < 0 && errno == ECONNRESET) { hasEnded = true }
        guard count > 0 else { return false }
        received += chunk.prefix(count)
        return true
    }

    /// Receives until `wanted` has come.
    ///
    /// - Returns: whether it came.
    func receive(until wanted: String) -> Bool {
        while !text.contains(wanted) {
            guard receive() else { return false }
        }
        return true
    }

    /// Whether the server has closed it, without waiting, for a connection on which nothing is expected.
    var hasEndedByNow: Bool {
        guard !hasEnded else { return true }
        var byte: UInt8 = 0
        // Safe: the call writes no more than the variable holds.
        let count = unsafe recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
        if count == 0 || (count < 0 && errno == ECONNRESET) { hasEnded = true }
        return hasEnded
    }

    func receiveToEnd() {
        while receive() {}
    }
}
