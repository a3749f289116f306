// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A server's socket in the file system.
public enum LocalSocket {
    /// Whether a server takes connections there. The file alone is no sign of it: it exists from bind() on, and clients
    /// are refused until listen().
    public static func takesConnections(_ path: String) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        return unsafe withAddress(path) { unsafe connect(descriptor, $0, $1) } == 0
    }

    /// Calls `body` with the socket's address. The path must have room in it.
    static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // Safe: the bytes go into the local variable, and the last one stays zero.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
            precondition(path.utf8.count < place.count, "the path is too long for a socket")
            unsafe place.copyBytes(from: path.utf8)
        }
        // Safe: the call reads the variable while it lasts.
        return unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
