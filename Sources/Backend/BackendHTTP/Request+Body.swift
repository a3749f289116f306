// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Encoding
import Hummingbird
import NIOCore

extension Request {
    /// The whole body, which was received before the request is handled.
    /// - Throws: `Refusal` 413 or 408.
    package func wholeBody() async throws -> [UInt8] {
        [UInt8](try await body.collect(upTo: .max).readableBytesView)
    }

    /// Whether the body is a browser's form.
    package var isForm: Bool {
        headers[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true
    }

    /// The body as a JSON object.
    /// - Throws: `refusal` when it is not a JSON object.
    package func jsonObject(or refusal: Refusal = .invalidJSON) async throws -> JSONObject {
        guard let object = JSONObject(body: try await wholeBody()) else { throw refusal }
        return object
    }

    /// The fields of a form in the body; nil for broken percent escapes.
    /// - Throws: `Refusal` 413, 408.
    package func formFields() async throws -> FormFields? {
        FormFields(String(decoding: try await wholeBody(), as: UTF8.self))
    }

    /// The fields of a form in the body or, without a body, those of the query.
    /// - Throws: `Refusal` 400 for broken percent escapes, 413, 408.
    package func formOrQueryFields() async throws -> FormFields {
        let body = try await wholeBody()
        guard !body.isEmpty else { return try queryFields() }
        guard let fields = FormFields(String(decoding: body, as: UTF8.self)) else { throw Refusal.invalidData }
        return fields
    }

    /// The query string's fields.
    /// - Throws: `Refusal` 400 for broken percent escapes.
    package func queryFields() throws -> FormFields {
        guard let fields = FormFields(uri.query ?? "") else { throw Refusal.invalidData }
        return fields
    }
}
