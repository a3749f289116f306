// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import HTTPTypes
import Hummingbird
import Logging
import MPinServer
import NIOCore

/// Wraps every request: adds security headers, logs the route's pattern (paths and queries contain one-time values),
/// and turns every error into a status.
struct GuardMiddleware: RouterMiddleware {
    typealias Context = BasicRequestContext

    /// Forbids scripts, styles and pictures from elsewhere, inline ones, and frames around a page.
    static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    let logger: Logger
    /// Whether the site is reached by https. Then browsers are told never to use http.
    var isHTTPS = false
    /// Error pages for browsers; nil on listeners that no person uses.
    var pages: Pages?

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let refusal as Refusal {
            response = answer(refusal, to: request, context)
        } catch let error as HTTPError {
            response = answer(Self.answer(to: error), to: request, context)
        } catch is CancellationError {
            response = answer(Refusal(503, "Stopping"), to: request, context)
        } catch let error as StorageError {
            logger.error("request failed", metadata: ["storage": "\(error.reason)"])
            response = answer(Refusal.storageUnavailable, to: request, context)
        } catch {
            // Only the type, because an error's text may quote its input.
            logger.error("request failed", metadata: ["error": "\(type(of: error))"])
            response = answer(Refusal(500, "Internal Server Error"), to: request, context)
        }
        secure(&response)
        logger.debug(
            "request",
            metadata: [
                "method": "\(request.method.rawValue)", "route": "\(context.endpointPath ?? "none")",
                "status": "\(response.status.code)",
            ])
        return response
    }

    private func secure(_ response: inout Response) {
        // A page may have set a stricter policy.
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        // With "no-referrer" a browser sends the origin of this site's own forms as "null".
        response.headers[Self.referrerPolicy] = "same-origin"
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        if isHTTPS { response.headers[.strictTransportSecurity] = "max-age=31536000" }
    }

    private static let referrerPolicy = HTTPField.Name("Referrer-Policy") ?? .contentSecurityPolicy

    private func answer(_ refusal: Refusal, to request: Request, _ context: Context) -> Response {
        pages?.answer(refusal, to: request) ?? refusal.response(from: request, context: context)
    }

    private static func answer(to error: HTTPError) -> Refusal {
        error.status == .notFound ? .notFound : Refusal(error.status.code, error.status.reasonPhrase)
    }
}
