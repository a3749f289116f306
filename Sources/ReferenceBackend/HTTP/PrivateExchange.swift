// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// One request to the private listener, and where its reply goes.
struct PrivateExchange: Sendable {
    let head: HTTPRequestHead
    let body: [UInt8]?
    let reply: EventLoopPromise<PrivateReply>
}
