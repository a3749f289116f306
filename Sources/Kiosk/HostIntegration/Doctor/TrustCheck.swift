// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Whether the kiosk has a usable trust list.
public enum TrustCheck {
    private static let name = "trust"

    /// - Parameters:
    ///   - file: the trust list.
    ///   - unreachable: listed hosts that did not answer; nil when they were not asked.
    ///   - refused: listed hosts whose server has none of their pins.
    ///   - troubles: sentences on listed hosts that answered unlike a service: ``trouble(_:_:_:)``.
    ///   - allowsLoopbackHTTP: whether hosts on this machine may be reached by http.
    public static func judge(
        _ file: TrustFile, unreachable: [String]? = nil, refused: [String] = [], troubles: [String] = [],
        allowsLoopbackHTTP: Bool
    ) -> CheckResult {
        let services: [TrustLine]
        do { services = try file.services() } catch {
            return .failure(name, "\(error)", remedy: error.hint)
        }
        guard !services.isEmpty else {
            return .failure(
                name, "no service is trusted, so that every code is refused", remedy: "login-kiosk trust add HOST")
        }
        let hint = "http on this machine, for a trial, needs --allow-loopback-http"
        let local = allowsLoopbackHTTP ? [] : services.map(\.entry).filter(\.isLoopback).map(\.description)
        let content = "\(services.count) entries in \(file.path)"
        guard refused.isEmpty else {
            return .failure(
                name,
                "the server's key is none of those pinned for \(refused.joined(separator: ", "))"
                    + (unreachable?.isEmpty == false
                        ? "; no answer from \(unreachable?.joined(separator: ", ") ?? "")" : ""),
                remedy:
                    "login-kiosk trust pin \(refused[0]) shows its key; ask the service's operator, by another way, "
                    + "whether it is theirs")
        }
        let wide = PublicSuffix.wildcards(in: services).map(\.description)
        guard unreachable?.isEmpty == false || wide.isEmpty else {
            return .warning(
                name, "\(wide.joined(separator: ", ")) trusts strangers: anybody may register names below it",
                remedy: "name the service's own domain, and: login-kiosk trust remove '\(wide[0])'")
        }
        guard let unreachable else {
            return .ok(name, local.isEmpty ? content : "\(content); \(hint): \(local.joined(separator: ", "))")
        }
        guard unreachable.isEmpty else {
            let isLocal = unreachable.contains { local.contains($0) }
            return .failure(
                name,
                (["no answer from \(unreachable.joined(separator: ", "))"] + troubles).joined(separator: "; "),
                remedy: "look at network, name service, and the service's certificate"
                    + (isLocal ? "; \(hint)" : ""))
        }
        guard troubles.isEmpty else {
            return .failure(
                name, troubles.joined(separator: "; "),
                remedy: "log the machine in where the network wants that; else ask the service's operator")
        }
        return .ok(name, "\(content), and every named host answers")
    }

    /// A sentence on a reply from something in front of the service, or from one that does not work.
    ///
    /// - Parameters:
    ///   - host: the listed host that was asked.
    ///   - location: of a redirect.
    /// - Returns: nil for a service's answer. A service may not know the requested page, and may redirect to another
    ///   page of its own.
    public static func trouble(_ host: String, _ status: Int, _ location: String?) -> String? {
        switch status {
        case 511: return "\(host): the network wants a login first (511)"
        case 500...: return "\(host) answers with a failure (\(status))"
        case 300..<400:
            guard let location, let target = try? WebAddress(location), target.origin.host != host.hostPart else {
                return nil
            }
            return
                "\(host) leads to another host, \(target.origin.host) (\(status)), as the login page of a network does"
        default: return nil
        }
    }
}

extension String {
    /// A listed host without its port.
    fileprivate var hostPart: String {
        guard let colon = lastIndex(of: ":"), !hasSuffix("]") else { return self }
        return String(self[..<colon])
    }
}
