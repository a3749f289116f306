// SPDX-License-Identifier: Apache-2.0

import BackendValues
import HTTPTypes
import Hummingbird
import MPinServer

/// Writes refusals in the form that a generation's clients read.
struct PlatformErrorMiddleware: RouterMiddleware {
    typealias Context = BasicRequestContext

    let generation: PlatformGeneration

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let refusal as PlatformRefusal {
            return try refusal.response(in: spelling(for: request))
        } catch let refusal as Refusal where refusal.code == 400 {
            return try PlatformRefusal.invalid("body").response(in: spelling(for: request))
        }
    }

    /// The generation whose error codes the client reads. The JavaScript client reads only today's since version 8 of
    /// April 2024, a year before it registers in one request.
    private func spelling(for request: Request) -> PlatformGeneration {
        guard generation == .trust2023, let client = Self.clientHeader.flatMap({ request.headers[$0] }),
            client.hasPrefix(Self.product),
            let version = client.dropFirst(Self.product.count).split(separator: ".").first.flatMap({ Int($0) })
        else { return generation }
        return version >= 8 ? .trust2025 : generation
    }

    private static let clientHeader = HTTPField.Name("X-MIRACL-CLIENT")
    private static let product = "MIRACL Client.js/"
}
