// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A TCP connection within this machine. Its calls block.
struct LoopbackConnection: Sendable {
    let descriptor: Int32

    /// Connects to a port of 127.0.0.1.
    init(port: UInt16) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in(host: "127.0.0.1", port: port)
        // Safe: the call reads the variable while it lasts.
        let status = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            Glibc.close(descriptor)
            throw POSIXError(.ECONNREFUSED)
        }
        self.descriptor = descriptor
    }

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Waits for the next bytes; nil at the end.
    func read() -> [UInt8]? {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, count in
            // Safe: the call writes no more than the buffer holds.
            unsafe count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Does nothing when the other side has closed.
    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // Safe: the call reads the bytes while it lasts.
            let count = unsafe rest.withUnsafeBytes {
                unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func close() { Glibc.close(descriptor) }
}
