// SPDX-License-Identifier: Apache-2.0

/// Whether the kiosk knows whom it may talk to.
public enum TrustCheck {
    private static let name = "trust"

    /// - Parameters:
    ///   - file: the trust list.
    ///   - unreachable: listed services that did not answer; nil when nobody asked them.
    public static func judge(_ file: TrustFile, unreachable: [String]? = nil) -> CheckResult {
        let count: Int
        do { count = try file.entries().count } catch {
            return .failure(name, "\(error)", remedy: error.hint)
        }
        guard count > 0 else {
            return .failure(
                name, "no service is trusted, so that every code is refused", remedy: "login-kiosk trust add HOST")
        }
        guard let unreachable else { return .ok(name, "\(count) entries in \(file.path)") }
        guard unreachable.isEmpty else {
            return .failure(
                name, "no answer from \(unreachable.joined(separator: ", "))",
                remedy: "look at network, name service, and the service's certificate")
        }
        return .ok(name, "\(count) entries in \(file.path), and every named host answers")
    }
}
