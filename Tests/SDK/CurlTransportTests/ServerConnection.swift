// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskTestKit
import MPinClient

/// The server's end of one connection.
final class ServerConnection {
    private let descriptor: Int32
    private let tls: TLSSession?
    private var buffered: [UInt8] = []
    private var isReset = false

    init(_ descriptor: Int32, _ tls: TLSSession? = nil) {
        self.descriptor = descriptor
        self.tls = tls
    }

    /// The protocol that TLS agreed on (ALPN); empty without.
    var agreed: String { tls?.agreed ?? "" }

    /// - Returns: nil when the client closed.
    func read(_ count: Int) -> [UInt8]? {
        while buffered.count < count { guard readMore() else { return nil } }
        defer { buffered.removeFirst(count) }
        return Array(buffered[..<count])
    }

    /// - Returns: nil when the client closed.
    func readRequest() -> HTTPTransportContract.Received? {
        var headerEnd: Int?
        while headerEnd == nil {
            headerEnd = buffered.indices.first { buffered[$0...].starts(with: "\r\n\r\n".utf8) }
            if headerEnd == nil, !readMore() { return nil }
        }
        guard let headerEnd else { return nil }
        let lines = String(decoding: buffered[..<headerEnd], as: UTF8.self).split(separator: "\r\n")
        buffered.removeFirst(headerEnd + 4)
        let request = lines[0].split(separator: " ")
        let headers = lines.dropFirst().map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return HTTPHeader(
                String(line[..<colon]), line[colon...].dropFirst().trimmingPrefix(" ").description)
        }
        var received = HTTPTransportContract.Received(
            method: String(request[0]), target: String(request[1]), headers: headers, body: [])
        let length = received.header("content-length").flatMap { Int($0) } ?? 0
        while buffered.count < length { guard readMore() else { return nil } }
        received.body = Array(buffered[..<length])
        buffered.removeFirst(length)
        return received
    }

    /// - Returns: false when the client has left.
    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        if let tls { return bytes.isEmpty || tls.write(bytes) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    func reply(_ status: Int, headers: [HTTPHeader] = [], _ body: [UInt8] = []) {
        let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        let length = status == 204 ? "" : "Content-Length: \(body.count)\r\n"
        write(Array("HTTP/1.1 \(status) Scripted\r\n\(lines)\(length)\r\n".utf8) + body)
    }

    /// Waits until the client closes.
    func waitForClose() { while readMore() {} }

    /// Ends the server's side, and reads what the client still sends until it closes, or the server stops.
    ///
    /// Where something is unread, closing is abortive, and the client may lose the reply that it has not read yet
    /// (RFC 9112, section 9.6).
    func end() {
        guard !isReset else { return }
        shutdown(descriptor, Int32(SHUT_WR))
        var chunk = [UInt8](repeating: 0, count: 4096)
        while unsafe recv(descriptor, &chunk, chunk.count, 0) > 0 {}
    }

    /// Makes the next close abortive (RST).
    func resetOnClose() {
        isReset = true
        var linger = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    private func readMore() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = unsafe tls?.read(&chunk) ?? recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { return false }
        buffered += chunk[..<count]
        return true
    }
}
