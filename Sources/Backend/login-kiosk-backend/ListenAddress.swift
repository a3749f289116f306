// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface

/// `HOST:PORT`. An IPv6 address stands in brackets, and `*` means every IPv4 and IPv6 address of the machine.
struct ListenAddress: ExpressibleByArgument, CustomStringConvertible {
    static let standard = ListenAddress(host: "127.0.0.1", port: 8480)

    /// The host without brackets.
    var host: String
    var port: Int

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"), let port = UInt16(argument[argument.index(after: colon)...])
        else {
            return nil
        }
        let host = argument[..<colon]
        guard !host.isEmpty, host.hasPrefix("[") == host.hasSuffix("]"), host.hasPrefix("[") || !host.contains(":")
        else {
            return nil
        }
        self.init(host: host == "*" ? "::" : host.filter { $0 != "[" && $0 != "]" }, port: Int(port))
    }
}
