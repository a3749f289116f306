// SPDX-License-Identifier: Apache-2.0

/// What the other side of the private listener answered.
struct PrivateReply: Sendable {
    let status: Int
    let body: [UInt8]

    var object: JSONObject? { JSONObject(body: body) }
}
