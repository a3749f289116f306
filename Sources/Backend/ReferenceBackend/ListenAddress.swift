// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `HOST:PORT`. An IPv6 address stands in brackets, and `*` means every IPv4 and IPv6 address of the machine.
struct ListenAddress: ExpressibleByArgument, CustomStringConvertible {
    /// The host without brackets.
    let host: String
    /// 0 for a free port.
    let port: Int

    var description: String { "\(urlHost):\(port)" }

    /// The host as it stands in a URL.
    var urlHost: String { host.contains(":") ? "[\(host)]" : host }

    /// Whether it is every address of the machine.
    var isEvery: Bool { host == "0.0.0.0" || host == "::" }

    init(host: String, port: Int) { (self.host, self.port) = (host, port) }

    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"), let port = UInt16(argument[argument.index(after: colon)...])
        else { return nil }
        let host = argument[..<colon]
        guard !host.isEmpty, host.hasPrefix("[") == host.hasSuffix("]"), host.hasPrefix("[") || !host.contains(":")
        else { return nil }
        self.init(host: host == "*" ? "::" : host.filter { $0 != "[" && $0 != "]" }, port: Int(port))
    }
}

/// The host names of this machine.
enum LoopbackHost {
    static func contains(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host == "[::1]" || isInNetwork127(host)
    }

    /// Whether `host` is in 127.0.0.0/8, as four numbers: a host name may begin with `127.` as well.
    private static func isInNetwork127(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
