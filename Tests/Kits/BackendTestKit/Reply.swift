// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import HTTPTypes

/// A reply of the backend.
package struct Reply: Sendable {
    package let status: Int
    package let headers: HTTPFields
    package let body: [UInt8]

    package init(status: Int, headers: HTTPFields, body: [UInt8]) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// The code that the login page shows for typing.
    package var typedCode: String? {
        text.split(separator: "<code id=\"code\">").dropFirst().first.map { String($0.prefix { $0 != "<" }) }
    }

    package var text: String { String(decoding: body, as: UTF8.self) }

    package var object: JSONObject { JSONObject(body: body) ?? JSONObject([:]) }
}
