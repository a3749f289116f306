// SPDX-License-Identifier: Apache-2.0

import BackendValues
package import Encoding

extension OpenIDProvider {
    /// Returns the client that sent a request to the token endpoint. RFC 6749, section 2.3.1; OpenID Connect Core,
    /// section 9.
    /// - Parameter authorization: the header's value.
    /// - Throws: `TokenError`.
    package func client(_ all: FormFields, authorization: String?) async throws -> OpenIDClient {
        let fields = all.withoutEmptyValues
        guard let authorization else {
            guard let id = fields["client_id"] else { throw TokenError(.invalidClient, "client_id is missing") }
            guard let client = try await client(id), client.admits(fields["client_secret"]) else {
                throw TokenError(.invalidClient, "the client is unknown or did not prove who it is")
            }
            return client
        }
        let refusal = TokenError(
            .invalidClient, "the client is unknown or did not prove who it is", challenge: "Basic realm=\"token\"")
        guard let (id, secret) = Self.basicCredentials(authorization) else { throw refusal }
        guard fields["client_secret"] == nil, fields["client_id"] == nil || fields["client_id"] == id else {
            throw TokenError(.invalidRequest, "the client named itself twice")
        }
        guard let client = try await client(id), client.admits(secret.isEmpty ? nil : secret) else {
            throw refusal
        }
        return client
    }

    /// Id and secret of HTTP Basic. Clients form-encode both before they join them (RFC 6749, section 2.3.1).
    private static func basicCredentials(_ authorization: String) -> (id: String, secret: String)? {
        guard authorization.lowercased().hasPrefix("basic "),
            let bytes = Base64.bytes(String(authorization.dropFirst("basic ".count))),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, let id = FormFields.decoded(halves[0]), let secret = FormFields.decoded(halves[1])
        else { return nil }
        return (id, secret)
    }

    /// The id of the client that a request to the token endpoint names, proven or not.
    package func namedClient(_ fields: FormFields, authorization: String?) -> String? {
        authorization.flatMap { Self.basicCredentials($0)?.id } ?? fields["client_id"]
    }

    /// The name for the operator of a client that exists: its own, or its id.
    package func operatorsName(of id: String?) async throws -> String? {
        try await client(id)?.operatorsName
    }
}
