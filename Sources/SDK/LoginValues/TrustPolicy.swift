// SPDX-License-Identifier: Apache-2.0

/// The only hosts that the client may talk to, also when a QR code or a server's reply names others.
///
/// A list of `[*.]host[:port]`: a bare host stands for itself only, `*.` for its subdomains at any depth but not for
/// the host itself, and the port is 443 unless named. Each line is one service. A service's reply may name only hosts
/// of the service's own line, its delegation included. So a listed service cannot redirect the client to another
/// one. Only https is allowed, except http to loopback hosts if a demonstration switched that on. A host with pins is
/// reached by https only, because http shows no key. An empty list denies everything.
public struct TrustPolicy: Sendable, Equatable {
    /// The services, in the order of the list.
    public private(set) var lines: [TrustLine]
    /// Whether http to this machine is allowed: for demonstrations and tests, never on a kiosk in the field.
    public let allowsLoopbackHTTP: Bool

    /// Makes a policy of services.
    ///
    /// - Parameters:
    ///   - lines: one for each service; by default none, and the policy refuses everything.
    ///   - allowsLoopbackHTTP: whether http to this machine is allowed, for demonstrations and tests; by default it is
    ///     not.
    public init(lines: [TrustLine] = [], allowsLoopbackHTTP: Bool = false) {
        self.lines = lines
        self.allowsLoopbackHTTP = allowsLoopbackHTTP
    }

    /// Makes a policy of services without further hosts or pins.
    ///
    /// - Parameters:
    ///   - entries: one for each service; the empty list refuses everything.
    ///   - allowsLoopbackHTTP: whether http to this machine is allowed, for demonstrations and tests; by default it is
    ///     not.
    public init(entries: [TrustEntry], allowsLoopbackHTTP: Bool = false) {
        self.init(lines: entries.map { TrustLine($0) }, allowsLoopbackHTTP: allowsLoopbackHTTP)
    }

    /// The hosts that codes may name, in the order of the list.
    public var entries: [TrustEntry] { lines.map(\.entry) }

    /// The result of checking an origin.
    public enum Decision: Equatable, Sendable {
        /// The entry that covers the host.
        case allowed(by: TrustEntry)
        /// The reason why the host is refused.
        case refused(Refusal)
    }

    /// The reason why the client may not talk to an origin.
    public enum Refusal: String, Equatable, Sendable {
        /// The policy has no lines.
        case nothingTrusted
        /// The host would be reached by http.
        case notHTTPS
        /// No line covers the host.
        case notListed
        /// A listed host on this machine would be reached by http, which was not switched on.
        case loopbackHTTP
        /// The host is listed, but not for the service that named it.
        case anotherService
        /// The server's key matches none of the host's pins.
        case serverKeyRefused
    }

    /// Checks an origin that a code, a person or the configuration names.
    public func check(_ origin: Origin) -> Decision {
        if let refusal = generalRefusal(of: origin) { return .refused(refusal) }
        guard let entry = entries.first(where: { $0.covers(origin) }) else { return .refused(.notListed) }
        return .allowed(by: entry)
    }

    /// Checks an origin that a reply names.
    ///
    /// - Parameter namer: the service that sent the reply, which was checked before.
    public func check(_ origin: Origin, namedBy namer: Origin) -> Decision {
        if let refusal = generalRefusal(of: origin) { return .refused(refusal) }
        let covering = lines.flatMap { [$0.entry] + $0.targets }.filter { $0.covers(origin) }
        guard let first = covering.first else { return .refused(.notListed) }
        if origin.hasSameHostAndPort(as: namer) { return .allowed(by: first) }
        if let own = entries.first(where: { $0.covers(namer) && $0.covers(origin) }) { return .allowed(by: own) }
        let targets = lines.filter { $0.entry.covers(namer) }.flatMap(\.targets)
        guard let target = targets.first(where: { $0.covers(origin) }) else { return .refused(.anotherService) }
        return .allowed(by: target)
    }

    /// Whether the client may talk to an origin that a code, a person or the configuration names.
    public func allows(_ origin: Origin) -> Bool {
        if case .allowed = check(origin) { true } else { false }
    }

    /// The keys of which a server at the origin must have one, whichever service named the origin. Empty if any key
    /// with a valid certificate is accepted.
    ///
    /// If several entries with pins cover the origin, the most specific one is used: the host itself, or the longest
    /// domain. If several lines have this entry, their pins are joined.
    public func pins(for origin: Origin) -> [PublicKeyPin] {
        let covering = lines.flatMap(\.pins).filter { $0.key.covers(origin) }
        guard let closest = covering.map({ $0.key }).max(by: { $0.closeness < $1.closeness }) else { return [] }
        return Set(covering.filter { $0.key == closest }.flatMap { $0.value })
            .sorted { $0.digest.lexicographicallyPrecedes($1.digest) }
    }

    /// Whether either of two services may name the other.
    public func joins(_ one: Origin, _ other: Origin) -> Bool {
        for (named, namer) in [(one, other), (other, one)] {
            if case .allowed = check(named, namedBy: namer) { return true }
        }
        return false
    }

    private func generalRefusal(of origin: Origin) -> Refusal? {
        guard !lines.isEmpty else { return .nothingTrusted }
        guard origin.scheme != .https else { return nil }
        guard origin.isLoopback, pins(for: origin).isEmpty else { return .notHTTPS }
        guard !allowsLoopbackHTTP else { return nil }
        return entries.contains { $0.covers(origin) } ? .loopbackHTTP : .notHTTPS
    }
}

extension TrustEntry {
    /// The rank of the entry among those that cover an origin: a more specific entry is higher.
    fileprivate var closeness: Int { coversSubdomains ? host.utf8.count : Int.max }
}
