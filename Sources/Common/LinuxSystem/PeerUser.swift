// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The user whose process holds the other end of a TCP connection within this machine.
///
/// Asks the kernel by `NETLINK_SOCK_DIAG` (sock_diag(7)), at the same cost for any number of sockets. In a user
/// namespace without that user the kernel answers 65534.
public enum PeerUser {
    /// - Parameters:
    ///   - client: port of the other end, at 127.0.0.0/8.
    ///   - clientAddress: its IPv4 address, such as 127.0.0.1.
    ///   - server: port of this end, at 127.0.0.1.
    /// - Returns: the user's number; nil when the kernel does not say. Treat the peer as a stranger then.
    public static func ofLoopbackConnection(from client: UInt16, at clientAddress: String, to server: UInt16) -> UInt32?
    {
        var peer = in_addr()
        // Safe: the call writes an address of IPv4 into the variable.
        guard unsafe inet_pton(AF_INET, clientAddress, &peer) == 1 else { return nil }
        let channel = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), netlinkSockDiag)
        guard channel >= 0 else { return nil }
        defer { close(channel) }
        // The kernel usually answers at once. The limit bounds the wait if it does not.
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        // Safe: the call reads the variable that it is lent, with its size.
        unsafe setsockopt(channel, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let question = question(from: client, at: peer, to: server)
        // Safe: the call reads the bytes while it lasts.
        let sent = unsafe question.withUnsafeBytes { unsafe send(channel, $0.baseAddress, $0.count, 0) }
        guard sent == question.count else { return nil }
        var answer = [UInt8](repeating: 0, count: 1024)
        // Safe: the call writes no more than the array holds.
        let count = unsafe answer.withUnsafeMutableBytes { unsafe recv(channel, $0.baseAddress, $0.count, 0) }
        return count > 0 ? user(in: answer.prefix(count), from: client) : nil
    }

    private static let netlinkSockDiag: Int32 = 4
    /// `SOCK_DIAG_BY_FAMILY`, the type of the question and of its answer.
    private static let byFamily: UInt16 = 20
    /// `NLM_F_REQUEST`.
    private static let request: UInt16 = 1
    /// Length of a `nlmsghdr`.
    private static let headerLength = 16
    /// Length of an `inet_diag_req_v2`.
    private static let questionLength = 56
    /// Length of an `inet_diag_msg`, and the places of `idiag_sport` and `idiag_uid` in it.
    private static let (answerLength, clientOffset, userOffset) = (72, 4, 64)
    /// The bytes of an IPv6 address that follow those of an IPv4 address.
    private static let addressRest = [UInt8](repeating: 0, count: 12)

    /// A `nlmsghdr` and an `inet_diag_req_v2` for exactly one established connection.
    private static func question(from client: UInt16, at clientAddress: in_addr, to server: UInt16) -> [UInt8] {
        var bytes: [UInt8] = []
        func append<Number: FixedWidthInteger>(_ number: Number) {
            unsafe withUnsafeBytes(of: number) { unsafe bytes.append(contentsOf: $0) }
        }
        let loopback: UInt32 = 0x7F00_0001
        append(UInt32(headerLength + questionLength))
        append(byFamily)
        append(request)
        append(UInt64(0))
        append(UInt8(AF_INET))
        append(UInt8(IPPROTO_TCP))
        append(UInt16(0))
        append(UInt32.max)  // in every state
        append(client.bigEndian)
        append(server.bigEndian)
        append(clientAddress.s_addr)
        bytes += addressRest
        append(loopback.bigEndian)
        bytes += addressRest
        append(UInt32(0))  // at any interface
        append(UInt64.max)  // without a cookie
        return bytes
    }

    /// Reads a `nlmsghdr` and an `inet_diag_msg`.
    static func user(in answer: some Collection<UInt8>, from client: UInt16) -> UInt32? {
        let bytes = Array(answer)
        func number<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number {
            unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: type) }
        }
        let length = headerLength + answerLength
        guard bytes.count >= length, number(UInt32.self, at: 0) >= length, number(UInt16.self, at: 4) == byFamily,
            number(UInt16.self, at: headerLength + clientOffset).bigEndian == client
        else { return nil }
        return number(UInt32.self, at: headerLength + userOffset)
    }
}
