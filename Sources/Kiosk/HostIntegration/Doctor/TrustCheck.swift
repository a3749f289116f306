// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Whether the kiosk has a usable trust list.
public enum TrustCheck {
    /// A listed host's answer to a request without a login.
    public enum Answer: Sendable, Equatable {
        case service
        /// A page, such as the login page of a network.
        case page
        case silence
        /// The server has none of the host's pins.
        case otherKey
        /// A sentence on a certificate that is not accepted, or on a server that speaks no TLS.
        case certificate(String)
        /// A sentence on an answer that no service gives: ``trouble(_:_:_:)``.
        case trouble(String)
    }

    /// - Parameters:
    ///   - file: the trust list.
    ///   - answers: of the listed hosts; nil when they were not asked.
    ///   - allowsLoopbackHTTP: whether hosts on this machine may be reached by http.
    public static func judge(
        _ file: TrustFile, answers: [(host: String, answer: Answer)]? = nil, allowsLoopbackHTTP: Bool
    ) -> CheckResult {
        let services: [TrustLine]
        do { services = try file.services() } catch {
            return .failure("\(error)", remedy: error.hint)
        }
        guard !services.isEmpty else {
            return .failure(
                "no service is trusted, so that every code is refused", remedy: "login-kiosk trust add HOST")
        }
        let hint = "http on this machine, for a trial, needs --allow-loopback-http"
        let local = allowsLoopbackHTTP ? [] : services.map(\.entry).filter(\.isLoopback).map(\.description)
        let content = "\(services.count) \(services.count == 1 ? "entry" : "entries") in \(file.path)"
        func hosts(_ answer: Answer) -> [String] {
            (answers ?? []).filter { $0.answer == answer }.map(\.host).sorted()
        }
        let refused = hosts(.otherKey), pages = hosts(.page), silent = hosts(.silence)
        let silence = silent.isEmpty ? [] : ["no answer from \(silent.joined(separator: ", "))"]
        guard refused.isEmpty else {
            let key = "the server's key is none of those pinned for \(refused.joined(separator: ", "))"
            return .failure(
                ([key] + silence).joined(separator: "; "),
                remedy:
                    "login-kiosk trust pin \(refused[0]) shows its key; ask the service's operator, by another way, "
                    + "whether it is theirs")
        }
        var (certificates, troubles): ([String], [String]) = ([], [])
        for (_, answer) in answers ?? [] {
            if case .certificate(let sentence) = answer { certificates.append(sentence) }
            if case .trouble(let sentence) = answer { troubles.append(sentence) }
        }
        let faults = silence + certificates + troubles
        guard faults.isEmpty else {
            let remedies = [
                silent.isEmpty
                    ? nil
                    : "look at network and name service" + (silent.contains(where: local.contains) ? "; \(hint)" : ""),
                certificates.isEmpty
                    ? nil
                    : "look at this machine's clock (timedatectl), at the authorities (network.ca-file), and at the "
                        + "service's certificate" + (local.isEmpty ? "" : "; \(hint)"),
                troubles.isEmpty
                    ? nil : "log the machine in where the network wants that; else ask the service's operator",
            ]
            return .failure(
                faults.joined(separator: "; "), remedy: remedies.compactMap(\.self).joined(separator: "; "))
        }
        let wide = PublicSuffix.wildcards(in: services).map(\.description)
        guard wide.isEmpty else {
            return .warning(
                "\(wide.joined(separator: ", ")) trusts strangers: anybody may register names below it",
                remedy: "name the service's own domain, and: login-kiosk trust remove '\(wide[0])'")
        }
        guard answers != nil else {
            return .ok(local.isEmpty ? content : "\(content); \(hint): \(local.joined(separator: ", "))")
        }
        guard pages.isEmpty else {
            return .warning(
                "\(pages.joined(separator: ", ")) has a page in the place of a service's description",
                remedy: "right where the service is below another path; else log the machine in where the network "
                    + "wants that")
        }
        return .ok("\(content), and every named host answers")
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
