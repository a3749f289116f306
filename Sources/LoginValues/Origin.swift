// SPDX-License-Identifier: Apache-2.0

/// Scheme, host and port of a web address: what the trust policy decides about.
public struct Origin: Hashable, Sendable {
    public enum Scheme: String, Hashable, Sendable {
        case http, https

        public var defaultPort: UInt16 { self == .https ? 443 : 80 }
    }

    public let scheme: Scheme
    /// Lower-case ASCII: a DNS name, a dotted IPv4 address, or an IPv6 address in brackets.
    public let host: String
    public let port: UInt16

    init(scheme: Scheme, host: String, port: UInt16) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// Whether the host is this machine by its very spelling: `localhost`, 127.0.0.0/8 or `[::1]`.
    public var isLoopback: Bool {
        host == "localhost" || host == "[::1]" || (host.hasPrefix("127.") && Host.isIPv4Address(host[...]))
    }
}

extension Origin: CustomStringConvertible {
    /// The usual spelling, without a port that the scheme implies: `https://example.com`.
    public var description: String {
        port == scheme.defaultPort ? "\(scheme.rawValue)://\(host)" : "\(scheme.rawValue)://\(host):\(port)"
    }
}
