// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

@testable import ReferenceBackend

/// What the backend answered.
struct Reply: Sendable {
    let status: Int
    let headers: HTTPFields
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    var object: JSONObject { JSONObject(body: body) ?? JSONObject([:]) }
}
