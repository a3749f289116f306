// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import LinuxSystem

/// Guards every request: only a browser on this machine that requested this very address gets an answer, and no answer
/// can be framed, cached or read from another site's page.
///
/// A page of another site may let its name resolve to 127.0.0.1 and then call the kiosk from a browser on this
/// machine: such a request has that name as its host (DNS rebinding).
struct PageGuard: RouterMiddleware {
    typealias Context = PageContext

    let port: Eventually<Int>

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response: Response
        // The first one is the authority. A second one would make the request ambiguous (RFC 9112, section 3.2).
        if PageGuard.value(of: "Host", in: request) != nil {
            response = PageGuard.refusal(.badRequest)
        } else if await isFromHere(request) {
            do { response = try await next(request, context) } catch let error as HTTPError {
                response = PageGuard.refusal(error.status)
            } catch is CancellationError {
                response = PageGuard.refusal(.serviceUnavailable)
            } catch {
                response = PageGuard.refusal(.internalServerError)
            }
        } else {
            response = PageGuard.refusal(.misdirectedRequest)
        }
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.cacheControl] = "no-store"
        for (name, value) in PageGuard.isolation { response.headers[name] = value }
        return response
    }

    static func refusal(_ status: HTTPResponse.Status) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "\(status.code) \(status.reasonPhrase)\n")))
    }

    private static let isolation: [(HTTPField.Name, String)] = [
        ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
    ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }

    private static func value(of name: String, in request: Request) -> String? {
        HTTPField.Name(name).flatMap { request.headers[$0] }
    }

    private func isFromHere(_ request: Request) async -> Bool {
        // The port is bound, because a request came.
        guard let port = try? await port.value else { return false }
        let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
        guard let host = request.head.authority, hosts.contains(host.lowercased()) else { return false }
        // Browsers add it when a page makes a request. Pages of other sites are refused.
        if let origin = request.headers[.origin], origin.lowercased() != "http://\(host.lowercased())" { return false }
        guard let site = PageGuard.value(of: "Sec-Fetch-Site", in: request) else { return true }
        if site == "same-origin" || site == "none" { return true }
        // A browser that was led here, as by the kiosk's own file. The page itself holds no data, and no site can read
        // it.
        return request.method == .get && request.uri.path == "/"
            && PageGuard.value(of: "Sec-Fetch-Mode", in: request) == "navigate"
            && PageGuard.value(of: "Sec-Fetch-Dest", in: request) == "document"
    }
}
