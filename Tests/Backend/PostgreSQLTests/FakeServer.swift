// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// A server that greets like PostgreSQL and answers the first request with given bytes.
final class FakeServer: Sendable {
    /// The address for libpq.
    let address: String
    private let listener: Int32

    /// - Parameters:
    ///   - answer: the answer to the first request. Then the connection ends.
    ///   - isEndless: whether the answer is repeated until the client leaves.
    init(answering answer: [UInt8], isEndless: Bool = false) throws {
        let (listener, address) = try Self.listener()
        (self.listener, self.address) = (listener, address)
        Thread.detachNewThread {
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { return }
                Thread.detachNewThread {
                    Self.serve(descriptor, answer, isEndless)
                    close(descriptor)
                }
            }
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// A listening socket at a free port of loopback, and its address for libpq.
    static func listener() throws -> (descriptor: Int32, address: String) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Safe: the address is a local variable of this size.
        let code = unsafe withUnsafeMutablePointer(to: &place) { place in
            unsafe place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                unsafe bind(listener, place, size) == 0 && listen(listener, 8) == 0
                    ? unsafe getsockname(listener, place, &size) : -1
            }
        }
        guard code == 0 else { throw POSIXError(.EADDRINUSE) }
        let port = UInt16(bigEndian: place.sin_port)
        let options = "user=tester dbname=postgres sslmode=disable gssencmode=disable"
        return (listener, "hostaddr=127.0.0.1 port=\(port) \(options)")
    }

    private static func serve(_ descriptor: Int32, _ answer: [UInt8], _ isEndless: Bool) {
        guard isAsked(descriptor), send(greeting, to: descriptor), isAsked(descriptor) else { return }
        repeat {} while send(answer, to: descriptor) && isEndless
        // Unread bytes at closing would end the connection before the client reads the answer.
        shutdown(descriptor, Int32(SHUT_WR))
        while isAsked(descriptor) {}
    }

    private static func isAsked(_ descriptor: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        // Safe: the bytes are a local array.
        return unsafe recv(descriptor, &bytes, bytes.count, 0) > 0
    }

    static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            // Safe: the bytes are lent for the call.
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// One message of the protocol (section 55.7 of PostgreSQL's manual).
    static func message(_ kind: Character, _ content: [UInt8]) -> [UInt8] {
        Array(String(kind).utf8) + integer(content.count + 4, bytes: 4) + content
    }

    static func integer(_ value: Int, bytes count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    static let end = message("Z", Array("I".utf8))

    private static let greeting: [UInt8] =
        message("R", integer(0, bytes: 4))
        + [
            ("server_version", "15.0"), ("server_encoding", "UTF8"), ("client_encoding", "UTF8"),
            ("default_transaction_read_only", "off"), ("in_hot_standby", "off"), ("standard_conforming_strings", "on"),
        ].flatMap { message("S", Array("\($0.0)\0\($0.1)\0".utf8)) } + end
}
