// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// Spells refusals as clients of one generation read them.
struct PlatformErrorMiddleware: RouterMiddleware {
    typealias Context = BasicRequestContext

    let generation: PlatformGeneration

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let refusal as PlatformRefusal {
            return try refusal.response(in: generation)
        } catch let refusal as Refusal where refusal.code == 400 {
            return try PlatformRefusal.invalid("body").response(in: generation)
        }
    }
}
