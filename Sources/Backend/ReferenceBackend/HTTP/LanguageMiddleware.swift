// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// Mails that a request causes are written in the language that its browser or device asks for.
struct LanguageMiddleware: RouterMiddleware {
    typealias Context = BasicRequestContext

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        try await PageWords.$current.withValue(PageWords.chosen(by: request.headers[.acceptLanguage])) {
            try await next(request, context)
        }
    }
}
