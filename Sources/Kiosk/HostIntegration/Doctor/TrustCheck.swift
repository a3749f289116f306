// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Whether the kiosk has a usable trust list.
public enum TrustCheck {
    private static let name = "trust"

    /// - Parameters:
    ///   - file: the trust list.
    ///   - unreachable: listed hosts that did not answer; nil when they were not asked.
    ///   - refused: listed hosts whose server has none of their pins.
    ///   - certificates: sentences on listed hosts whose certificate is not accepted.
    ///   - pages: listed hosts that answered with a page, as the login page of a network does.
    ///   - troubles: sentences on listed hosts that answered unlike a service: ``trouble(_:_:_:)``.
    ///   - allowsLoopbackHTTP: whether hosts on this machine may be reached by http.
    public static func judge(
        _ file: TrustFile, unreachable: [String]? = nil, refused: [String] = [], certificates: [String] = [],
        pages: [String] = [], troubles: [String] = [], allowsLoopbackHTTP: Bool
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
        let content = "\(services.count) \(services.count == 1 ? "entry" : "entries") in \(file.path)"
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
        guard unreachable?.isEmpty == false || !certificates.isEmpty || !troubles.isEmpty || wide.isEmpty else {
            return .warning(
                name, "\(wide.joined(separator: ", ")) trusts strangers: anybody may register names below it",
                remedy: "name the service's own domain, and: login-kiosk trust remove '\(wide[0])'")
        }
        guard let unreachable else {
            return .ok(name, local.isEmpty ? content : "\(content); \(hint): \(local.joined(separator: ", "))")
        }
        let silence = unreachable.isEmpty ? [] : ["no answer from \(unreachable.joined(separator: ", "))"]
        let faults = silence + certificates + troubles
        guard faults.isEmpty else {
            let isLocal = unreachable.contains { local.contains($0) }
            let remedies = [
                silence.isEmpty ? nil : "look at network and name service" + (isLocal ? "; \(hint)" : ""),
                certificates.isEmpty
                    ? nil
                    : "look at this machine's clock (timedatectl), at the authorities (network.ca-file), and at the "
                        + "service's certificate" + (local.isEmpty ? "" : "; \(hint)"),
                troubles.isEmpty
                    ? nil : "log the machine in where the network wants that; else ask the service's operator",
            ]
            return .failure(
                name, faults.joined(separator: "; "), remedy: remedies.compactMap(\.self).joined(separator: "; "))
        }
        guard pages.isEmpty else {
            return .warning(
                name, "\(pages.joined(separator: ", ")) has a page in the place of a service's description",
                remedy: "right where the service is below another path; else log the machine in where the network "
                    + "wants that")
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
