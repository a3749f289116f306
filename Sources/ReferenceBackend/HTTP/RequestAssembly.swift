// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Puts requests together from what the parser finds on a connection, with up to 64 KiB of body each.
///
/// Only requests that name one host and a path are taken: others mean a proxy (RFC 9112, section 3.2), which this is not,
/// and what they name must not reach a part of the program that believes it.
struct RequestAssembly {
    static let largestBody = 64 * 1024

    enum Step {
        case nothing
        case whole(WholeRequest)
        /// As what the parser itself does not understand: nothing that follows is a request.
        case malformed
    }

    private struct Head {
        let request: HTTPRequest
        let isLast: Bool
    }

    private enum State {
        case between
        case reading(Head, ByteBuffer)
        /// Larger than allowed: what is still to come is read and dropped, so that the client reads the answer.
        case dropping(Head)
        case over
    }

    private var state = State.between

    /// Whether a request has begun and is not whole.
    var isUnderWay: Bool {
        switch state {
        case .reading, .dropping: true
        case .between, .over: false
        }
    }

    mutating func take(_ part: HTTPServerRequestPart) -> Step {
        switch (state, part) {
        case (.between, .head(let head)):
            guard let request = Self.request(head) else {
                state = .over
                return .malformed
            }
            state = .reading(Head(request: request, isLast: !head.isKeepAlive), ByteBuffer())
        case (.reading(let head, var body), .body(let piece)):
            guard body.readableBytes + piece.readableBytes <= Self.largestBody else {
                state = .dropping(head)
                return .nothing
            }
            if body.readableBytes == 0 { body = piece } else { body.writeImmutableBuffer(piece) }
            state = .reading(head, body)
        case (.reading(let head, let body), .end):
            state = .between
            return .whole(WholeRequest(head: head.request, body: .success(body), isLast: head.isLast))
        case (.dropping(let head), .end):
            state = .between
            return .whole(
                WholeRequest(
                    head: head.request, body: .failure(Refusal(413, "Body too large")), isLast: head.isLast))
        case (.dropping, _), (.over, _), (.between, _), (.reading, .head):
            // The parser lets nothing but the first two happen.
            break
        }
        return .nothing
    }

    /// The end of a request that took too long, and of all that would follow.
    mutating func giveUp() -> WholeRequest? {
        defer { state = .over }
        switch state {
        case .reading(let head, _), .dropping(let head): return WholeRequest(abandoned: head.request)
        case .between, .over: return nil
        }
    }

    private static func request(_ head: HTTPRequestHead) -> HTTPRequest? {
        let hosts = head.headers["Host"]
        guard hosts.count == 1, !hosts[0].isEmpty, head.uri.hasPrefix("/"),
            let method = try? HTTPRequest.Method(head.method)
        else { return nil }
        return HTTPRequest(
            method: method, scheme: "http", authority: hosts[0], path: head.uri,
            headerFields: HTTPFields(head.headers, splitCookie: false))
    }
}
