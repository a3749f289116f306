// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// The service manager's socket.
final class NotifySocket: Sendable {
    private let descriptor: Int32

    /// - Parameter name: a path, or a name without a file, which begins with a zero byte.
    init(_ name: [UInt8]) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let offset = try #require(MemoryLayout<sockaddr_un>.offset(of: \.sun_path))
        let length = socklen_t(offset + name.count)
        let bound = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, length) }
        }
        try #require(bound == 0)
    }

    deinit { close(descriptor) }

    /// The received datagrams.
    func take() -> [String] {
        var datagrams: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
            }
            guard count >= 0 else { return datagrams }
            datagrams.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
    }
}
