// SPDX-License-Identifier: Apache-2.0

/// Which hosts may be talked to, whatever a QR code or a server's reply says.
///
/// A list of `[*.]host[:port]`: a bare host stands for itself only, `*.` for its subdomains at any depth but not for the
/// host itself, and the port is 443 unless named. Only https is allowed, except http to loopback hosts when that was
/// switched on for a demonstration. An empty list denies everything.
public struct TrustPolicy: Sendable, Equatable {
    public private(set) var entries: [TrustEntry]
    /// For demonstrations and tests on one machine; never on a kiosk in the field.
    public let allowsLoopbackHTTP: Bool

    public init(entries: [TrustEntry] = [], allowsLoopbackHTTP: Bool = false) {
        self.entries = entries
        self.allowsLoopbackHTTP = allowsLoopbackHTTP
    }

    public enum Verdict: Equatable, Sendable {
        /// The entry is what a consent screen may name as the registered domain.
        case allowed(by: TrustEntry)
        case refused(Refusal)
    }

    public enum Refusal: String, Equatable, Sendable {
        case nothingTrusted, notHTTPS, notListed
    }

    public func judge(_ origin: Origin) -> Verdict {
        guard !entries.isEmpty else { return .refused(.nothingTrusted) }
        guard origin.scheme == .https || (allowsLoopbackHTTP && origin.isLoopback) else { return .refused(.notHTTPS) }
        guard let entry = entries.first(where: { $0.covers(origin) }) else { return .refused(.notListed) }
        return .allowed(by: entry)
    }

    public func allows(_ origin: Origin) -> Bool {
        if case .allowed = judge(origin) { true } else { false }
    }
}
