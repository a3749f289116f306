// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// A risk or limit of trusted services that an operator should know, with the remedy.
public struct TrustAdvice: Sendable, Equatable {
    public let sentence: String
    public let hint: String

    /// Advises on services that were added to the trust list.
    ///
    /// - Parameter policy: the whole list, with the added services.
    public static func after(adding services: [TrustLine], in policy: TrustPolicy) -> [TrustAdvice] {
        singlePins(of: services, in: policy) + publicSuffixes(in: services) + subdomains(in: services)
            + loopback(in: services, allowsHTTP: policy.allowsLoopbackHTTP)
    }

    private static func singlePins(of services: [TrustLine], in policy: TrustPolicy) -> [TrustAdvice] {
        services.flatMap(\.pins.keys).filter { policy.count(ofPins: $0) == 1 }.map { entry in
            TrustAdvice(
                sentence: "\(entry) has one pin only: nobody logs in once its server has another key",
                hint: "ask the service's operator for the pin of the backup key, and add it as well")
        }
    }

    private static func publicSuffixes(in services: [TrustLine]) -> [TrustAdvice] {
        PublicSuffix.wildcards(in: services).map { entry in
            TrustAdvice(
                sentence: "\(entry) trusts strangers: anybody may register names below \(entry.host)",
                hint: "name the service's own domain, and: login-kiosk trust remove '\(entry)'")
        }
    }

    private static func subdomains(in services: [TrustLine]) -> [TrustAdvice] {
        let wildcards = services.map(\.entry).filter { $0.coversSubdomains && !PublicSuffix.contains($0.host) }
        return wildcards.map { entry in
            TrustAdvice(
                sentence: "\(entry) trusts every host below \(entry.host), and not \(entry.host) itself",
                hint: "where one host is the service, name it alone, and: login-kiosk trust remove '\(entry)'")
        }
    }

    private static func loopback(in services: [TrustLine], allowsHTTP: Bool) -> [TrustAdvice] {
        let local = services.map(\.entry).filter(\.isLoopback).map(\.description)
        guard !local.isEmpty else { return [] }
        guard allowsHTTP else {
            return [
                TrustAdvice(
                    sentence: "on this machine, and reached by https only: \(local.joined(separator: ", "))",
                    hint: "where it speaks http, for a trial: login-kiosk run --allow-loopback-http")
            ]
        }
        let pinned = services.flatMap(\.pins.keys).filter(\.isLoopback).map(\.description)
        guard !pinned.isEmpty else { return [] }
        return [
            TrustAdvice(
                sentence: "reached by https only, because over http a server shows no key: "
                    + pinned.joined(separator: ", "),
                hint: "for http take the pins out: login-kiosk trust remove --pin")
        ]
    }
}

extension TrustPolicy {
    /// The number of pins of an entry; 0 accepts any key.
    fileprivate func count(ofPins entry: TrustEntry) -> Int {
        Set(lines.flatMap { $0.pins[entry] ?? [] }).count
    }
}
