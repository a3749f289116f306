// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// Refuses clients of other companies where a device calls.
struct CompanyMiddleware: RouterMiddleware {
    typealias Context = BasicRequestContext

    let policy: ClientPolicy?

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        try policy?.checkCompany(request)
        return try await next(request, context)
    }
}
