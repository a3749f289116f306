// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Glibc
import Synchronization

/// A connection within this machine. Its calls block; each wait for the other side ends after a minute.
public final class LoopbackConnection: Sendable {
    private let descriptor: Int32
    private let heard = Mutex<(bytes: [UInt8], hasEnded: Bool)>(([], false))

    /// Connects by TCP.
    ///
    /// - Parameters:
    ///   - source: the address that it comes from; nil for 127.0.0.1.
    ///   - receiveBuffer: the size of the kernel's buffer, in bytes; nil for the usual one.
    ///   - user: the user who owns the connection. Only root may give a socket to another user.
    public init(
        port: some BinaryInteger, from source: String? = nil, receiveBuffer: Int32? = nil, user: uid_t? = nil
    ) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        Self.limitWaits(of: descriptor)
        if var receiveBuffer {
            // Safe: the call reads the variable that it is lent, of the size that it is told.
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        let descriptor = descriptor
        var (own, place) = (sockaddr_in(host: source ?? "127.0.0.1"), sockaddr_in(port: UInt16(port)))
        guard user.map({ fchown(descriptor, $0, gid_t.max) == 0 }) ?? true,
            unsafe source == nil || own.withPointer({ unsafe bind(descriptor, $0, $1) }) == 0,
            unsafe place.withPointer({ unsafe connect(descriptor, $0, $1) }) == 0
        else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    /// Connects to a server's socket in the file system.
    public init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        Self.limitWaits(of: descriptor)
        let descriptor = descriptor
        guard unsafe LocalSocket.withAddress(path, { unsafe connect(descriptor, $0, $1) }) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// Takes over a connection that a listener has accepted.
    init(taking descriptor: Int32) {
        self.descriptor = descriptor
        Self.limitWaits(of: descriptor)
    }

    deinit { Glibc.close(descriptor) }

    private static func limitWaits(of descriptor: Int32) {
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            // Safe: the call reads the variable that it is lent, of the size that it is told.
            unsafe setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// The port of this side.
    public var port: UInt16 { sockaddr_in.port(of: descriptor) }
    /// Everything that has been received.
    public var text: String { String(decoding: heard.withLock(\.bytes), as: UTF8.self) }
    /// Whether the other side has ended it, as far as it was received.
    public var hasEnded: Bool { heard.withLock(\.hasEnded) }

    /// Waits for the next bytes.
    ///
    /// - Returns: nil when nothing came in time, or the other side has ended the connection.
    @discardableResult
    public func receive() -> [UInt8]? { receive(flags: 0) }

    private func receive(flags: Int32) -> [UInt8]? {
        var count = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, length in
            // Safe: the call writes no more than the buffer holds.
            count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, flags)
            length = max(0, count)
        }
        let isOver = count == 0 || (count < 0 && errno == ECONNRESET)
        heard.withLock { heard in
            heard.bytes += bytes
            if isOver { heard.hasEnded = true }
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Receives until nothing comes in time, or the other side ends the connection.
    public func receiveToEnd() { while receive() != nil {} }

    /// Receives until `wanted` has come.
    ///
    /// - Returns: whether it came.
    public func receive(until wanted: String) -> Bool {
        while !text.contains(wanted) { guard receive() != nil else { return false } }
        return true
    }

    /// Whether the other side has ended it, without waiting, for a connection on which nothing is expected.
    public var hasEndedByNow: Bool {
        if !hasEnded { _ = receive(flags: Int32(MSG_DONTWAIT)) }
        return hasEnded
    }

    /// - Returns: false when the other side takes nothing more, or not in time.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            // Safe: the call reads the bytes while it lasts.
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Tells the other side that nothing more is sent.
    public func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    public func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Does blocking work on a thread of its own, because the threads of tasks are few.
    public static func apart<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }
}

/// A TCP port of loopback.
public final class LoopbackListener: Sendable {
    public let port: UInt16
    private let descriptor: Int32

    /// - Parameters:
    ///   - host: an address in 127.0.0.0/8.
    ///   - port: 0 for any that is free.
    public init(host: String = "127.0.0.1", port: UInt16 = 0) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var place = sockaddr_in(host: host, port: port)
        guard unsafe place.withPointer({ unsafe bind(descriptor, $0, $1) }) == 0, listen(descriptor, 64) == 0 else {
            close(descriptor)
            throw POSIXError(.EADDRNOTAVAIL)
        }
        (self.descriptor, self.port) = (descriptor, sockaddr_in.port(of: descriptor))
    }

    deinit {
        stop()
        close(descriptor)
    }

    /// A free port below those that the kernel gives to connections and to servers without one of their own: until a
    /// server starts there, and while it restarts, no such program takes it.
    public static func freePort() throws -> UInt16 {
        for _ in 0..<100 {
            let port = UInt16.random(in: 15_000..<32_000)
            if (try? LoopbackListener(port: port)) != nil { return port }
        }
        throw POSIXError(.EADDRNOTAVAIL)
    }

    /// Serves each connection on a thread of its own, until `stop`. A connection ends with the last reference to it.
    public func serve(_ serve: @escaping @Sendable (LoopbackConnection) -> Void) {
        let descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        Thread.detachNewThread {
            while true {
                let accepted = accept(descriptor, nil, nil)
                if accepted < 0 {
                    let error = errno
                    guard [EINTR, ECONNABORTED, EMFILE, ENFILE].contains(error) else { break }
                    // Without a free descriptor the client waits until other connections have ended.
                    if error == EMFILE || error == ENFILE { usleep(10_000) }
                    continue
                }
                _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
                Thread.detachNewThread { serve(LoopbackConnection(taking: accepted)) }
            }
            close(descriptor)
        }
    }

    /// Refuses further connections.
    public func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

extension sockaddr_in {
    fileprivate init(host: String = "127.0.0.1", port: UInt16 = 0) {
        self.init()
        sin_family = sa_family_t(AF_INET)
        // Safe: the call reads the text.
        sin_addr.s_addr = unsafe inet_addr(host)
        sin_port = port.bigEndian
    }

    fileprivate static func port(of descriptor: Int32) -> UInt16 {
        var (address, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        _ = unsafe address.withPointer { place, _ in unsafe getsockname(descriptor, place, &length) }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Calls `body` with this address and its length.
    fileprivate mutating func withPointer(_ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        // Safe: the pointer lives as long as the call.
        unsafe withUnsafeMutablePointer(to: &self) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
