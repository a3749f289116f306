// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A connection to a server of this test. Its calls block for up to 20 seconds.
final class LocalConnection {
    private let descriptor: Int32
    private(set) var text = ""
    private(set) var hasEnded = false

    /// Connects to a port of 127.0.0.1.
    init?(port: Int) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        limit()
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

    deinit { close(descriptor) }

    private func limit() {
        var time = timeval(tv_sec: 20, tv_usec: 0)
        // Safe: the call reads the variable that it is lent, of the size that it is told.
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    /// - Returns: false when the server accepts nothing more.
    @discardableResult
    func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        // Safe: the call reads the bytes while it lasts.
        return unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
            == bytes.count
    }

    func receiveToEnd() {
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            // Safe: the call writes no more than the array holds.
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count == 0 || (count < 0 && errno == ECONNRESET) { hasEnded = true }
            guard count > 0 else { return }
            text += String(decoding: chunk.prefix(count), as: UTF8.self)
        }
    }
}
