// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Around every request: safe headers, a log line that holds no address beyond the route's pattern (paths and queries
/// carry one-time values), and a status for every error.
struct GuardMiddleware: RouterMiddleware {
    typealias Context = BasicRequestContext

    /// No script, style or picture from elsewhere, nothing inline, no frame around it.
    private static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    let logger: Logger
    /// Whether the site is reached by https: then browsers shall never try http.
    var isHTTPS = false

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let refusal as Refusal {
            response = refusal.response(from: request, context: context)
        } catch let error as HTTPError {
            response = Self.answer(to: error).response(from: request, context: context)
        } catch is CancellationError {
            response = Refusal(503, "Stopping").response(from: request, context: context)
        } catch let error as StorageError {
            logger.error("request failed", metadata: ["storage": "\(error.reason)"])
            response = Refusal.storageStands.response(from: request, context: context)
        } catch {
            // Only the type: an error's text may quote what it was given.
            logger.error("request failed", metadata: ["error": "\(type(of: error))"])
            response = Refusal(500, "Internal Server Error").response(from: request, context: context)
        }
        // A page that needs less has said so.
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        // With "no-referrer" a browser would call the origin of this site's own forms "null".
        response.headers[Self.referrerPolicy] = "same-origin"
        response.headers[.cacheControl] = "no-store"
        if isHTTPS { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        logger.debug(
            "request",
            metadata: [
                "method": "\(request.method.rawValue)", "route": "\(context.endpointPath ?? "none")",
                "status": "\(response.status.code)",
            ])
        return response
    }

    private static let referrerPolicy = HTTPField.Name("Referrer-Policy") ?? .contentSecurityPolicy

    private static func answer(to error: HTTPError) -> Refusal {
        error.status == .notFound ? .notFound : Refusal(error.status.code, error.status.reasonPhrase)
    }
}
