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
        /// The server's key matches none of the host's pins.
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
    public static func result(
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
        let local = allowsLoopbackHTTP ? [] : services.map(\.entry).filter(\.isLoopback).map(\.description)
        let replies = TrustedHostReplies(answers: answers ?? [], httpsOnly: local)
        if let complaint = replies.foreignKey ?? replies.failure ?? wildcards(in: services) ?? replies.page {
            return complaint
        }
        let content = "\(services.count) \(services.count == 1 ? "entry" : "entries") in \(file.path)"
        guard answers == nil else { return .ok("\(content), and every named host answers") }
        return .ok(
            local.isEmpty ? content : "\(content); \(TrustedHostReplies.httpHint): \(local.joined(separator: ", "))")
    }

    private static func wildcards(in services: [TrustLine]) -> CheckResult? {
        let wide = PublicSuffix.wildcards(in: services).map(\.description)
        guard let first = wide.first else { return nil }
        return .warning(
            "\(wide.joined(separator: ", ")) trusts strangers: anybody may register names below it",
            remedy: "name the service's own domain, and: login-kiosk trust remove '\(first)'")
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

/// The answers of the listed hosts, and a complaint for each kind of trouble with them.
private struct TrustedHostReplies {
    static let httpHint = "http on this machine, for a trial, needs --allow-loopback-http"

    let answers: [(host: String, answer: TrustCheck.Answer)]
    /// The entries on this machine that are reached by https only.
    let httpsOnly: [String]

    private func hosts(_ answer: TrustCheck.Answer) -> [String] {
        answers.filter { $0.answer == answer }.map(\.host).sorted()
    }

    /// A server whose key is not pinned. The finding also names silent hosts; the remedy is for the key alone.
    var foreignKey: CheckResult? {
        let hosts = hosts(.otherKey)
        guard let first = hosts.first else { return nil }
        let key = "the server's key is none of those pinned for \(hosts.joined(separator: ", "))"
        return .failure(
            [key, silence?.finding].compactMap(\.self).joined(separator: "; "),
            remedy:
                "login-kiosk trust pin \(first) shows its key; ask the service's operator, over another channel, "
                + "whether it is theirs")
    }

    /// Joins the failures that may occur together.
    var failure: CheckResult? {
        let failures = [silence, certificates, troubles].compactMap(\.self)
        return complaint(failures.map(\.finding), remedy: failures.compactMap(\.remedy).joined(separator: "; "))
    }

    private var silence: CheckResult? {
        let silent = hosts(.silence)
        guard !silent.isEmpty else { return nil }
        return .failure(
            "no answer from \(silent.joined(separator: ", "))",
            remedy: hinting("look at network and name service", if: silent.contains(where: httpsOnly.contains)))
    }

    private var certificates: CheckResult? {
        let sentences = answers.compactMap { reply -> String? in
            if case .certificate(let sentence) = reply.answer { sentence } else { nil }
        }
        return complaint(
            sentences,
            remedy: hinting(
                "look at this machine's clock (timedatectl), at the authorities (network.ca-file), and at the "
                    + "service's certificate", if: !httpsOnly.isEmpty))
    }

    private var troubles: CheckResult? {
        let sentences = answers.compactMap { reply -> String? in
            if case .trouble(let sentence) = reply.answer { sentence } else { nil }
        }
        return complaint(
            sentences,
            remedy: "log the machine in where the network wants that; else ask the service's operator")
    }

    var page: CheckResult? {
        let pages = hosts(.page)
        guard !pages.isEmpty else { return nil }
        return .warning(
            "\(pages.joined(separator: ", ")) has a page in the place of a service's description",
            remedy: "right where the service is below another path; else log the machine in where the network "
                + "wants that")
    }

    /// - Returns: nil without a finding.
    private func complaint(_ findings: [String], remedy: String) -> CheckResult? {
        findings.isEmpty ? nil : .failure(findings.joined(separator: "; "), remedy: remedy)
    }

    /// - Parameter mayNeedHTTP: whether a host concerned may speak http.
    private func hinting(_ remedy: String, if mayNeedHTTP: Bool) -> String {
        mayNeedHTTP ? "\(remedy); \(TrustedHostReplies.httpHint)" : remedy
    }
}

extension String {
    /// A listed host without its port.
    fileprivate var hostPart: String {
        guard let colon = lastIndex(of: ":"), !hasSuffix("]") else { return self }
        return String(self[..<colon])
    }
}
