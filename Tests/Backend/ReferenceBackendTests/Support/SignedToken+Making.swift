// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import Testing

@testable import BackendValues
@testable import ReferenceBackend

extension SignedToken {
    /// A token with any text as header and claims, with the issuer's valid signature.
    static func text(
        of claims: String, by issuer: WebTokenIssuer, header: String? = nil
    ) async throws -> String {
        try await text(encodedClaims: Base64.urlText(Array(claims.utf8)), by: issuer, header: header)
    }

    /// - Parameter encodedClaims: the encoded claims, which may be invalid.
    static func text(
        encodedClaims: String, by issuer: WebTokenIssuer, header: String? = nil
    ) async throws -> String {
        let header = header ?? #"{"alg":"RS256","kid":"\#(issuer.key.id)"}"#
        let signed = Base64.urlText(Array(header.utf8)) + "." + encodedClaims
        return signed + "." + Base64.urlText(try #require(issuer.key.key.signature(of: Array(signed.utf8))))
    }
}
