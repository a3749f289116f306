// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// The refusal of a request to the platform. Clients decide by a code in the body. MIRACL protocol, sections 2 and
/// 10.
struct PlatformRefusal: Error {
    enum Code {
        case invalidRequestParameters, requestBackoff, unsuccessfulVerification, invalidActivationToken
        case expiredMPinID, revokedMPinID, unsuccessfulAuthentication, invalidAuthenticationSession
        case limitedQuickCodeGeneration, noPushToken
    }

    let code: Code
    /// The subject of the code, for programs.
    var context: [String: String] = [:]
    /// Whether the login is unknown now and may have been judged before.
    var outcomeIsUnknown = false

    init(_ code: Code, context: [String: String] = [:]) {
        self.code = code
        self.context = context
    }

    /// A field of the request is missing or malformed, or names something that does not exist.
    static func invalid(_ field: String) -> PlatformRefusal {
        PlatformRefusal(.invalidRequestParameters, context: ["params": field])
    }

    /// - Parameter spelling: the generation whose codes the client reads.
    func response(in spelling: PlatformGeneration) throws -> Response {
        var response = try spelled(in: spelling)
        if outcomeIsUnknown, let header = Refusal.loginOutcomeHeader { response.headers[header] = "unknown" }
        return response
    }

    private func spelled(in spelling: PlatformGeneration) throws -> Response {
        let context = JSONValue.object(context.mapValues { .string($0) })
        switch spelling {
        case .mfaV2:
            return Response.json(["error": .string(code.name), "message": .string(code.info)], status: code.status)
        case .trust2025:
            return Response.json(
                ["error": .string(code.name), "info": .string(code.info), "context": context], status: code.status)
        case .trust2023:
            let error: [String: JSONValue] = [
                "code": .string(code.olderName), "info": .string(code.info), "context": context,
            ]
            return Response.json(
                ["requestID": .string(try OneTimeToken.random().hex), "error": .object(error)], status: code.status)
        }
    }
}
