// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
import HTTPTypes
import Hummingbird
import MPinServer

extension PlatformRefusal {
    /// - Parameter spelling: the generation whose codes the client reads.
    func response(in spelling: PlatformGeneration) throws -> Response {
        var response = try spelled(in: spelling)
        if outcomeIsUnknown, let header = HTTPField.Name(Refusal.loginOutcomeHeader) {
            response.headers[header] = "unknown"
        }
        return response
    }

    private func spelled(in spelling: PlatformGeneration) throws -> Response {
        let status = HTTPResponse.Status(code: code.status)
        let context = JSONValue.object(self.context.mapValues { .string($0) })
        switch spelling {
        case .mfaV2:
            return Response.json(["error": .string(code.rawValue), "message": .string(code.info)], status: status)
        case .trust2025:
            return Response.json(
                ["error": .string(code.rawValue), "info": .string(code.info), "context": context], status: status)
        case .trust2023:
            let error: [String: JSONValue] = [
                "code": .string(code.olderSpelling), "info": .string(code.info), "context": context,
            ]
            return Response.json(
                ["requestID": .string(try OneTimeToken.random().hex), "error": .object(error)], status: status)
        }
    }
}
