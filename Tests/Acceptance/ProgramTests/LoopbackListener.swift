// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A TCP port of loopback. Each connection is served on its own thread.
final class LoopbackListener: Sendable {
    let host: String
    let port: UInt16
    private let descriptor: Int32

    /// - Parameter host: an address in 127.0.0.0/8.
    init(host: String = "127.0.0.1") throws {
        self.host = host
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in(host: host, port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Safe: the calls read and write the variable, whose size they are told.
        let isListening = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
    }

    func serve(_ serve: @escaping @Sendable (LoopbackConnection) -> Void) {
        let descriptor = descriptor
        Thread.detachNewThread {
            while true {
                let accepted = accept(descriptor, nil, nil)
                guard accepted >= 0 else { return }
                _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
                Thread.detachNewThread {
                    let connection = LoopbackConnection(descriptor: accepted)
                    serve(connection)
                    connection.close()
                }
            }
        }
    }

    func stop() {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }
}

extension sockaddr_in {
    init(host: String, port: UInt16) {
        self.init()
        sin_family = sa_family_t(AF_INET)
        // Safe: the call reads the text.
        sin_addr.s_addr = unsafe inet_addr(host)
        sin_port = port.bigEndian
    }
}
