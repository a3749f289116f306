// SPDX-License-Identifier: Apache-2.0

import BackendValues
import HTTPTypes
import Hummingbird

/// Sets the language of the mails that a request causes to that of its browser or device.
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
