// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// Lets in only who knows the private listener's password.
struct PrivateSecretMiddleware: RouterMiddleware {
    typealias Context = BasicRequestContext

    let secret: PrivateSecret

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard secret.admits(request.headers[.authorization]) else {
            var refusal = Refusal(401, "Password needed")
            refusal.headers[.wwwAuthenticate] = "Basic realm=\"login-kiosk backend\""
            throw refusal
        }
        return try await next(request, context)
    }
}
