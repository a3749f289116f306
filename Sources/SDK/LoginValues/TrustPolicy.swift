// SPDX-License-Identifier: Apache-2.0

/// The hosts that may be talked to, whatever a QR code or a server's reply says.
///
/// A list of `[*.]host[:port]`: a bare host stands for itself only, `*.` for its subdomains at any depth but not for
/// the host itself, and the port is 443 unless named. Each line is one service. What a service's reply names has to be
/// of the same line, or stand behind that line's arrow: a listed service must not lead to another one by its own word.
/// Only https is allowed, except http to loopback hosts when that was switched on for a demonstration; to a host with
/// pins https alone, because over http a server shows no key. An empty list denies everything.
public struct TrustPolicy: Sendable, Equatable {
    public private(set) var lines: [TrustLine]
    /// For demonstrations and tests on one machine; never on a kiosk in the field.
    public let allowsLoopbackHTTP: Bool

    public init(lines: [TrustLine] = [], allowsLoopbackHTTP: Bool = false) {
        self.lines = lines
        self.allowsLoopbackHTTP = allowsLoopbackHTTP
    }

    /// Services that name nothing but themselves.
    public init(entries: [TrustEntry], allowsLoopbackHTTP: Bool = false) {
        self.init(lines: entries.map { TrustLine($0) }, allowsLoopbackHTTP: allowsLoopbackHTTP)
    }

    /// The hosts that codes may name, in the order of the list.
    public var entries: [TrustEntry] { lines.map(\.entry) }

    public enum Verdict: Equatable, Sendable {
        /// The entry that covers the host.
        case allowed(by: TrustEntry)
        case refused(Refusal)
    }

    public enum Refusal: String, Equatable, Sendable {
        case nothingTrusted, notHTTPS, notListed
        /// A listed host on this machine would be reached by http, which was not switched on.
        case loopbackHTTP
        /// The host is listed, but not for the service that named it.
        case anotherService
        /// The server's key is none of those that the list has for its host.
        case serverKeyRefused
    }

    /// Judges what a code, a person or the configuration names.
    public func judge(_ origin: Origin) -> Verdict {
        if let refusal = generalRefusal(of: origin) { return .refused(refusal) }
        guard let entry = entries.first(where: { $0.covers(origin) }) else { return .refused(.notListed) }
        return .allowed(by: entry)
    }

    /// Judges what a reply names.
    ///
    /// - Parameter namer: the service whose reply it is, which was judged before.
    public func judge(_ origin: Origin, namedBy namer: Origin) -> Verdict {
        if let refusal = generalRefusal(of: origin) { return .refused(refusal) }
        let covering = lines.flatMap { [$0.entry] + $0.targets }.filter { $0.covers(origin) }
        guard let first = covering.first else { return .refused(.notListed) }
        if origin.isSamePlace(as: namer) { return .allowed(by: first) }
        if let own = entries.first(where: { $0.covers(namer) && $0.covers(origin) }) { return .allowed(by: own) }
        let targets = lines.filter { $0.entry.covers(namer) }.flatMap(\.targets)
        guard let target = targets.first(where: { $0.covers(origin) }) else { return .refused(.anotherService) }
        return .allowed(by: target)
    }

    public func allows(_ origin: Origin) -> Bool {
        if case .allowed = judge(origin) { true } else { false }
    }

    /// The keys one of which a server there has to have, whichever service named it; none where any will do that a
    /// certificate vouches for.
    ///
    /// Of several entries with pins that cover the origin the one counts that says most about it: the host itself, or
    /// the longest domain. Where that entry stands in several lines, the pins of all of them are its.
    public func pins(for origin: Origin) -> [PublicKeyPin] {
        let covering = lines.flatMap(\.pins).filter { $0.key.covers(origin) }
        guard let closest = covering.map({ $0.key }).max(by: { $0.closeness < $1.closeness }) else { return [] }
        return Set(covering.filter { $0.key == closest }.flatMap { $0.value })
            .sorted { $0.digest.lexicographicallyPrecedes($1.digest) }
    }

    /// Whether one of two services may name the other.
    public func joins(_ one: Origin, _ other: Origin) -> Bool {
        for (named, namer) in [(one, other), (other, one)] {
            if case .allowed = judge(named, namedBy: namer) { return true }
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
    /// How much it says about an origin that it covers.
    fileprivate var closeness: Int { coversSubdomains ? host.utf8.count : Int.max }
}
