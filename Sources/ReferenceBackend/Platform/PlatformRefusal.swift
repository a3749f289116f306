// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// What a client of the platform is refused with: it decides by a code in the body. MIRACL protocol, sections 2 and 10.
struct PlatformRefusal: Error {
    enum Code {
        case invalidRequestParameters, requestBackoff, unsuccessfulVerification, invalidActivationToken
        case expiredMPinID, revokedMPinID, unsuccessfulAuthentication, invalidAuthenticationSession
        case limitedQuickCodeGeneration, noPushToken
    }

    let code: Code
    /// What the code is about, for programs.
    var context: [String: String] = [:]

    init(_ code: Code, context: [String: String] = [:]) {
        self.code = code
        self.context = context
    }

    /// A field of the request is missing, malformed or about something that does not exist.
    static func invalid(_ field: String) -> PlatformRefusal {
        PlatformRefusal(.invalidRequestParameters, context: ["params": field])
    }

    /// - Parameter spelling: what the client reads.
    func response(in spelling: PlatformGeneration) throws -> Response {
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
