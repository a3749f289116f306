// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The kernel's list of IPv4 TCP connections, including those that closed within the last minute.
struct ConnectionTable {
    private let connections: [(localPort: UInt16, remotePort: UInt16)]

    static func current() throws -> ConnectionTable {
        // Read to the end: the kernel reports no length, and delivers a page at a time.
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp"))
        defer { try? file.close() }
        var text: [UInt8] = []
        while let page = try file.read(upToCount: 1 << 16), !page.isEmpty { text += page }
        return ConnectionTable(String(decoding: text, as: UTF8.self))
    }

    /// - Parameter text: in the form of `/proc/net/tcp`, proc(5): a heading, then a line per connection with number,
    ///   local and remote address as `0100007F:1F90`, and more.
    init(_ text: String) {
        connections = text.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 2, let local = Self.port(fields[1]), let remote = Self.port(fields[2]) else {
                return nil
            }
            return (local, remote)
        }
    }

    /// Number of connections to a port, seen from the side that opened them.
    func count(to port: UInt16) -> Int {
        Set(connections.filter { $0.remotePort == port }.map(\.localPort)).count
    }

    private static func port(_ address: Substring) -> UInt16? {
        address.split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
    }
}
