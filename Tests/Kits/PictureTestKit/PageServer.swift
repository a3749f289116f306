// SPDX-License-Identifier: Apache-2.0

import Capture
import Glibc
import LinuxSystem
import Synchronization

/// A web server for pages with pictures on a loopback port, for one GET per connection.
public final class PageServer: Sendable {
    public struct Reply: Sendable {
        public var status: Int
        /// Complete lines.
        public var headers: [String]
        public var body: [UInt8]

        public init(status: Int = 200, headers: [String] = [], body: [UInt8] = []) {
            self.status = status
            self.headers = headers
            self.body = body
        }

        public static func html(_ text: String) -> Reply {
            Reply(headers: ["Content-Type: text/html"], body: Array(text.utf8))
        }
    }

    public struct Request: Sendable {
        public var path: String
        public var cookie: String
    }

    public let port: UInt16
    private let listener: Int32
    private let thread: Mutex<SystemThread?>

    public init(_ answer: @escaping @Sendable (Request) -> Reply) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Safe: both calls are told the size of this socket address.
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe precondition(bind(listener, pointer, length) == 0 && listen(listener, 16) == 0)
                unsafe precondition(getsockname(listener, pointer, &length) == 0)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        self.listener = listener
        thread = Mutex(
            SystemThread.required {
                while true {
                    let connection = accept(listener, nil, nil)
                    guard connection >= 0 else { return }
                    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                    // A silent client must not keep the server from ending.
                    var limit = timeval(tv_sec: 10, tv_usec: 0)
                    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                        // Safe: the call reads the structure, whose size it is told.
                        _ = unsafe setsockopt(
                            connection, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
                    }
                    PageServer.serve(connection, answer)
                    close(connection)
                }
            })
    }

    deinit {
        // Wakes the thread, which is then joined.
        shutdown(listener, Int32(SHUT_RDWR))
        thread.withLock { $0 = nil }
        close(listener)
    }

    public func address(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    private static func serve(_ connection: Int32, _ answer: (Request) -> Reply) {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
            // Safe: the count is the buffer's own.
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(connection, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes += chunk[..<count]
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
        let words = lines[0].split(separator: " ")
        let cookie = lines.first { $0.lowercased().hasPrefix("cookie:") }?.dropFirst(7) ?? ""
        let reply = answer(Request(path: String(words[1]), cookie: String(cookie.drop { $0 == " " })))
        var head = "HTTP/1.1 \(reply.status) Reason\r\nConnection: close\r\nContent-Length: \(reply.body.count)\r\n"
        for header in reply.headers { head += header + "\r\n" }
        let whole = Array((head + "\r\n").utf8) + reply.body
        var done = 0
        while done < whole.count {
            // Safe: the rest of a local array. A client that leaves early is fine.
            let count = unsafe whole.withUnsafeBytes {
                unsafe send(
                    connection, $0.baseAddress.map { unsafe $0 + done }, whole.count - done,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            done += count
        }
    }
}
