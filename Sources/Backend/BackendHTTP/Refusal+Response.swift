// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
package import HTTPTypes
package import Hummingbird

extension Refusal: HTTPResponseError {
    /// The status with the standard phrase of its code.
    package var status: HTTPResponse.Status { HTTPResponse.Status(code: code) }

    /// The further fields of the reply's header.
    package var fields: HTTPFields {
        var fields = HTTPFields()
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return fields
    }

    package func response(from request: Request, context: some RequestContext) -> Response {
        Response.json(
            ["version": .string(ProtocolVersion.current), "message": .string(message)], status: status, headers: fields
        )
    }
}
