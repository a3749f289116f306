// SPDX-License-Identifier: Apache-2.0

import BackendValues
import HTTPTypes
import Hummingbird
import LinuxSystem
import MPinServer

/// Allows web pages of any origin to be clients of the platform: its JavaScript client runs in the relying party's
/// pages and calls the project URL. Fetch standard, section 3.2.
///
/// Such a client puts its proofs into the requests, so neither cookies nor a relying party's passwords are allowed.
/// The web sites of this backend know their visitors by a cookie, so the middleware skips them.
///
/// An application that runs in a browser reads the OpenID provider's documents from any origin. It gets tokens and
/// user information from the origins that the operator registered.
struct CrossOriginMiddleware: RouterMiddleware {
    typealias Context = BasicRequestContext

    /// The path prefixes of the project URLs.
    let roots: [String]
    /// The path prefixes of the OpenID providers.
    var providerRoots: [String] = []
    /// The redirect URIs of public clients.
    var applicationAddresses: [String] = []
    /// Whether an origin belongs to a public application that operators added.
    var isApplication: @Sendable (String) async throws -> Bool = { _ in false }

    /// The first part of each path that a client calls.
    private static let parts: Set<Substring> = [
        ".well-known", "authorize", "clientSecret", "dta", "pushauth", "registration", "rps", "service", "verification",
    ]

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let origin = request.headers[.origin],
            let allowed = await allowedOrigin(origin, request.uri.path)
        else { return try await next(request, context) }
        let isQuestion = request.method == .options && request.headers[.accessControlRequestMethod] != nil
        var response = isQuestion ? Self.permission : try await next(request, context)
        response.headers[.accessControlAllowOrigin] = allowed
        if allowed != "*" {
            response.headers[.vary] = "Origin"
            if isQuestion { response.headers[.accessControlAllowHeaders] = "Authorization, Content-Type" }
        }
        return response
    }

    /// - Returns: nil if pages of this origin must not read the answer.
    private func allowedOrigin(_ origin: String, _ path: String) async -> String? {
        if isForClients(path) || path.hasPrefix(OpenIDRoutes.serverMetadata) { return "*" }
        for root in providerRoots where path.hasPrefix(root) {
            switch path.dropFirst(root.count) {
            case ".well-known/openid-configuration", "oidc/certs": return "*"
            case "oidc/token", "oidc/userinfo", "oidc/revoke":
                if applicationAddresses.contains(where: { RedirectAddress.isOrigin(origin, of: $0) }) { return origin }
                return (try? await isApplication(origin)) == true ? origin : nil
            default: continue
            }
        }
        return nil
    }

    private func isForClients(_ path: String) -> Bool {
        roots.contains { root in
            path.hasPrefix(root)
                && path.dropFirst(root.count).split(separator: "/", maxSplits: 1).first.map(Self.parts.contains) == true
        }
    }

    /// The answer to a browser's preflight request.
    private static let permission = Response(
        status: .noContent,
        headers: [
            .accessControlAllowMethods: "GET, POST, PUT",
            .accessControlAllowHeaders: "Content-Type, X-MIRACL-CID, X-MIRACL-CLIENT",
            .accessControlMaxAge: "600",
        ])
}

extension SiteMount {
    /// Refuses a request from a page of another site, which could otherwise log visitors in or out here. Browsers
    /// name the page's origin; devices name none.
    /// - Throws: `Refusal` 403.
    func refuseOtherOrigins(_ request: Request) async throws {
        guard let origin = request.headers[.origin] else { return }
        let publicURL = try await site.publicURL.value
        let sameHost = request.head.authority.map { origin == "http://" + $0 || origin == "https://" + $0 } ?? false
        guard sameHost || publicURL == origin || publicURL.hasPrefix(origin + "/") else {
            throw Refusal(403, "Request from another site")
        }
    }
}
