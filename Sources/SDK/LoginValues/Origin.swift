// SPDX-License-Identifier: Apache-2.0

/// Scheme, host and port of a web address, which the trust policy checks.
public struct Origin: Hashable, Sendable {
    /// The protocol of a web address.
    public enum Scheme: String, Hashable, Sendable {
        /// HTTP without TLS.
        case http
        /// HTTP over TLS.
        case https

        /// The port that an address without one has: 443 or 80.
        public var defaultPort: UInt16 { self == .https ? 443 : 80 }
    }

    /// The protocol.
    public let scheme: Scheme
    /// Lower-case ASCII: a DNS name, a dotted IPv4 address, or an IPv6 address in brackets.
    public let host: String
    /// The TCP port, named or the scheme's own.
    public let port: UInt16

    init(scheme: Scheme, host: String, port: UInt16) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// Host and port as the trust list and the screens write them: `login.example.com`, `127.0.0.1:8480`.
    public var hostAndPort: String { Origin.hostAndPort(host, port) }

    func hasSameHostAndPort(as other: Origin) -> Bool { host == other.host && port == other.port }

    static func hostAndPort(_ host: String, _ port: UInt16) -> String {
        port == Scheme.https.defaultPort ? host : "\(host):\(port)"
    }

    /// Whether the host names this machine by its spelling: `localhost`, 127.0.0.0/8 or `[::1]`.
    public var isLoopback: Bool { Host.isLoopback(host) }
}

extension Origin: CustomStringConvertible {
    /// The usual spelling, without a port that the scheme implies: `https://example.com`.
    public var description: String {
        port == scheme.defaultPort ? "\(scheme.rawValue)://\(host)" : "\(scheme.rawValue)://\(host):\(port)"
    }
}
