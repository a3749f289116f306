// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
import HTTPTypes
import Hummingbird
import OpenIDProvider

/// The routes that applications call themselves: for tokens, their end (RFC 7009), and the user of each.
extension OpenIDRoutes {
    func addTokens(to group: RouterGroup<BasicRequestContext>) {
        group.post("oidc/token") { request, _ in
            try await answer(request) { client, fields in
                Response.json(try await provider.redeem(fields, by: client).json)
            }
        }
        group.post("oidc/revoke") { request, _ in
            try await answer(request) { client, fields in
                try await provider.revoke(fields, by: client)
                return Response(status: .ok)
            }
        }
        for method in [HTTPRequest.Method.get, .post] {
            group.on("oidc/userinfo", method: method) { request, _ in
                do {
                    let form = method == .post && request.isForm ? try await request.formOrQueryFields() : nil
                    return Response.json(
                        try await provider.userInfo(request.headers[.authorization], form: form).json)
                } catch let error as TokenError {
                    return error.response
                }
            }
        }
    }

    /// Answers the form of a client that has authenticated, or that is public.
    private func answer(
        _ request: Request, _ make: (OpenIDClient, FormFields) async throws -> Response
    ) async throws -> Response {
        guard let fields = try await request.formFields() else {
            return TokenError(.invalidRequest, "the body is not a form").response
        }
        let authorization = request.headers[.authorization]
        do {
            return try await make(try await provider.client(fields, authorization: authorization), fields)
        } catch let error as TokenError {
            try await login.refusals.note(error, fields, authorization: authorization, at: provider)
            return error.response
        }
    }
}

extension TokenError {
    fileprivate var response: Response {
        var headers = HTTPFields()
        // A 401 names the method of authentication (RFC 9110, section 15.5.2).
        if let challenge = challenge ?? (code == .invalidClient ? "Basic realm=\"token\"" : nil) {
            headers[.wwwAuthenticate] = challenge
        }
        guard let code else { return Response(status: .unauthorized, headers: headers) }
        let isUnauthorized = code == .invalidClient || code == .invalidToken
        return Response.json(
            ["error": .string(code.rawValue), "error_description": .string(description)],
            status: isUnauthorized ? .unauthorized : .badRequest, headers: headers)
    }
}
