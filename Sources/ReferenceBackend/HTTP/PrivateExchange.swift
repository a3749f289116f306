// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// One request to the private listener, and where its reply goes.
struct PrivateExchange: Sendable {
    let head: HTTPRequestHead
    let body: [UInt8]?
    let reply: EventLoopPromise<PrivateReply>
}

/// What the other side of the private listener answered.
struct PrivateReply: Sendable {
    let status: Int
    let body: [UInt8]

    var object: JSONObject? { JSONObject(body: body) }
}

/// Why there is no reply of the private listener.
enum PrivateClientError: Error {
    case deadlineExceeded, replyTooLarge, noReply
}
