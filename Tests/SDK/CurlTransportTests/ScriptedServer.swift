// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import LoginValues
import MPinClient
import Synchronization

/// A TCP server on loopback that does to each connection exactly what the test says, below HTTP where need be.
final class ScriptedServer: Sendable {
    typealias Script = @Sendable (ServerConnection) -> Void

    let port: UInt16
    private let listener: Int32
    private let script: Script
    private let tls: ServerTLS?
    private let acceptor = DispatchGroup()
    private let servants = DispatchGroup()
    private struct State {
        var accepted = 0
        var open: Set<Int32> = []
        var isStopping = false
    }
    private let state = Mutex(State())

    /// - Parameters:
    ///   - tls: what each connection begins with; one on which TLS does not begin is closed.
    ///   - script: runs on a thread of its own for every connection, which is closed when it returns.
    init(tls: ServerTLS? = nil, _ script: @escaping Script) throws {
        self.script = script
        self.tls = tls
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, length) == 0 && listen(listener, 128) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
        acceptor.enter()
        Thread.detachNewThread { self.acceptAll() }
    }

    var accepted: Int { state.withLock { $0.accepted } }

    func address(_ path: String = "", host: String = "127.0.0.1") throws -> WebAddress {
        try WebAddress("\(tls == nil ? "http" : "https")://\(host):\(port)\(path)")
    }

    /// Closes everything and waits for the threads.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            for descriptor in state.open { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
        _ = shutdown(listener, Int32(SHUT_RDWR))
        acceptor.wait()
        servants.wait()
        close(listener)
    }

    private func acceptAll() {
        defer { acceptor.leave() }
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { return }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let isStopping = state.withLock { state in
                if state.isStopping { return true }
                state.accepted += 1
                state.open.insert(descriptor)
                return false
            }
            if isStopping {
                close(descriptor)
                continue
            }
            servants.enter()
            Thread.detachNewThread { self.serve(descriptor) }
        }
    }

    private func serve(_ descriptor: Int32) {
        let session = tls?.begin(descriptor)
        if tls == nil || session != nil {
            let connection = ServerConnection(descriptor, session)
            script(connection)
            connection.end()
        }
        state.withLock { state in
            state.open.remove(descriptor)
            close(descriptor)
        }
        servants.leave()
    }
}
