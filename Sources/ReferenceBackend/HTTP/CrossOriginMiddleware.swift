// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Waiting

/// Lets web pages of any origin be clients of the platform: its JavaScript client runs in the relying party's own pages
/// and calls the project URL from there. Fetch standard, section 3.2.
///
/// What such a client proves is in the requests themselves, so cookies are not let through, nor passwords of relying
/// parties. The web sites to log in to, which do know their visitors by a cookie, are not answered for.
struct CrossOriginMiddleware: RouterMiddleware {
    typealias Context = BasicRequestContext

    /// What the paths below each project URL begin with.
    let roots: [String]

    /// The first part of each path that a client calls.
    private static let parts: Set<Substring> = [
        ".well-known", "authorize", "clientSecret", "dta", "pushauth", "registration", "rps", "service", "verification",
    ]

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.headers[.origin] != nil, isForClients(request.uri.path) else {
            return try await next(request, context)
        }
        let isQuestion = request.method == .options && request.headers[.accessControlRequestMethod] != nil
        var response = isQuestion ? Self.permission : try await next(request, context)
        response.headers[.accessControlAllowOrigin] = "*"
        return response
    }

    private func isForClients(_ path: String) -> Bool {
        roots.contains { root in
            path.hasPrefix(root)
                && path.dropFirst(root.count).split(separator: "/", maxSplits: 1).first.map(Self.parts.contains) == true
        }
    }

    /// The answer to a browser that asks before it sends.
    private static let permission = Response(
        status: .noContent,
        headers: [
            .accessControlAllowMethods: "GET, POST, PUT",
            .accessControlAllowHeaders: "Content-Type, X-MIRACL-CID, X-MIRACL-CLIENT",
            .accessControlMaxAge: "600",
        ])
}

extension SiteMount {
    /// A browser names the origin of the page that sent a request; devices name none. Another site must not be able to
    /// log its visitors in or out here.
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
