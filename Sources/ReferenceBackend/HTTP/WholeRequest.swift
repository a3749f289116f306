// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore

/// A request with all of its body, or with the reason why there is none.
struct WholeRequest: Sendable {
    let head: HTTPRequest
    let body: Result<ByteBuffer, Refusal>
    /// The body did not arrive in time. Nothing more is read.
    let isAbandoned: Bool
    /// The client says that nothing follows, or its version of HTTP does.
    let isLast: Bool

    init(head: HTTPRequest, body: Result<ByteBuffer, Refusal>, isLast: Bool) {
        self.head = head
        self.body = body
        self.isLast = isLast
        isAbandoned = false
    }

    init(abandoned head: HTTPRequest) {
        self.head = head
        var refusal = Refusal(408, "Body too slow")
        refusal.headers[.connection] = "close"
        body = .failure(refusal)
        isAbandoned = true
        isLast = true
    }

    /// As the routes take it. Those that want no body do not mind when there is none.
    var request: Request {
        switch body {
        case .success(let buffer): Request(head: head, body: RequestBody(buffer: buffer))
        case .failure(let refusal): Request(head: head, body: RequestBody(asyncSequence: RefusedBody(refusal: refusal)))
        }
    }
}

/// Instead of bytes the reason why there are none.
private struct RefusedBody: AsyncSequence, AsyncIteratorProtocol, Sendable {
    typealias Element = ByteBuffer

    let refusal: Refusal

    func makeAsyncIterator() -> RefusedBody { self }

    func next() async throws -> ByteBuffer? { throw refusal }
}
