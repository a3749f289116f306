// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

@testable import BackendValues
@testable import ReferenceBackend

/// A reply of the backend.
struct Reply: Sendable {
    let status: Int
    let headers: HTTPFields
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    var object: JSONObject { JSONObject(body: body) ?? JSONObject([:]) }
}
