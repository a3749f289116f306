// SPDX-License-Identifier: Apache-2.0

import BackendValues
import HTTPTypes
import Hummingbird
import LinuxSystem
import MPinServer

/// Admits only browsers that use the backend's own address, and forms of the operator's page. Another name that
/// points here is refused, so that no foreign page can read this one.
struct OperatorGuardMiddleware: RouterMiddleware {
    typealias Context = BasicRequestContext

    let site: SiteDescription

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let publicURL = try await site.publicURL.value
        guard let authority = request.head.authority, Self.isOwn(authority, publicURL) else {
            throw Refusal(403, "Not this backend's address")
        }
        if request.method == .post {
            guard let origin = request.headers[.origin], let named = Self.authority(ofOrigin: origin),
                named == authority
            else { throw Refusal(403, "Request from another site") }
        }
        return try await next(request, context)
    }

    /// Whether the address is the public one, or a loopback name that no stranger can point elsewhere.
    private static func isOwn(_ authority: String, _ publicURL: String) -> Bool {
        if authority == self.authority(ofOrigin: publicURL) { return true }
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        return ["127.0.0.1", "localhost", "[::1]"].contains(String(host))
    }

    private static func authority(ofOrigin origin: String) -> String? {
        for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
            return String(origin.dropFirst(scheme.count))
        }
        return nil
    }
}
