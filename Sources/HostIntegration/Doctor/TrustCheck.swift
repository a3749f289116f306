// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Whether the kiosk knows which servers it may talk to.
public enum TrustCheck {
    private static let name = "trust"

    /// - Parameters:
    ///   - file: the trust list.
    ///   - unreachable: listed hosts that did not answer; nil when they were not asked.
    ///   - refused: listed hosts whose server has none of the keys that the list has for them.
    ///   - allowsLoopbackHTTP: whether hosts on this machine may be reached by http.
    public static func judge(
        _ file: TrustFile, unreachable: [String]? = nil, refused: [String] = [], allowsLoopbackHTTP: Bool
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
        guard let unreachable else {
            return .ok(name, local.isEmpty ? content : "\(content); \(hint): \(local.joined(separator: ", "))")
        }
        guard unreachable.isEmpty else {
            let isLocal = unreachable.contains { local.contains($0) }
            return .failure(
                name, "no answer from \(unreachable.joined(separator: ", "))",
                remedy: "look at network, name service, and the service's certificate"
                    + (isLocal ? "; \(hint)" : ""))
        }
        return .ok(name, "\(content), and every named host answers")
    }
}
