// SPDX-License-Identifier: Apache-2.0

import BackendValues
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// The connection or HTTP/2 stream of a request.
struct ConnectionContext: InitializableFromSource {
    let channel: any Channel
    private let logger: Logger

    init(source: ApplicationRequestContextSource) { (channel, logger) = (source.channel, source.logger) }

    /// The context for routes.
    var ofRoutes: BasicRequestContext {
        BasicRequestContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
    }
}

/// Answers requests by the routes, with complete bodies and the client's address.
struct AddressResponder: HTTPResponder {
    private static let largestBody = 64 * 1024

    let routes: RouterResponder<BasicRequestContext>
    let rules: ConnectionRules
    let logger: Logger

    func respond(to request: Request, context: ConnectionContext) async throws -> Response {
        let peer = ClientAddress(context.channel.remoteAddress)
        guard rules.bounds.beginRequest(from: peer, isProxy: rules.addresses.isProxy(peer)) else {
            return Response(status: .serviceUnavailable, headers: [.retryAfter: "1"])
        }
        defer { rules.bounds.endRequest(from: peer) }
        guard request.namesOneHost else { return Response(status: .badRequest) }
        let address = rules.addresses.address(of: request.head, from: peer) {
            rules.complaint.make(about: $0, in: rules.addresses.field, logger)
        }
        let whole: Request
        do { whole = try await Self.whole(request) } catch is HTTPParserError {
            // The end of the body is unknown, and the connection's too. RFC 9112, sections 6.1 and 7.
            let isUnknown = request.headers[.transferEncoding].map { $0.lowercased() != "chunked" } ?? false
            return Response(status: isUnknown ? .notImplemented : .badRequest, headers: [.connection: "close"])
        }
        let response = try await ClientAddress.$current.withValue(address) {
            try await LongPolls.$channel.withValue(context.channel) {
                try await routes.respond(to: whole, context: context.ofRoutes)
            }
        }
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// - Returns: the request with its whole body, or with the reason for its absence. Routes without a body ignore
    ///   that.
    private static func whole(_ request: Request) async throws -> Request {
        do {
            return Request(
                head: request.head, body: RequestBody(buffer: try await request.body.collect(upTo: largestBody)))
        } catch is NIOTooManyBytesError {
            return refused(request, Refusal(413, "Body too large"))
        } catch ConnectionState.BodyFault.tooSlow {
            return refused(request, Refusal(408, "Body too slow", headers: ["Connection": "close"]))
        }
    }

    private static func refused(_ request: Request, _ refusal: Refusal) -> Request {
        Request(head: request.head, body: RequestBody(asyncSequence: RefusedBody(refusal: refusal)))
    }
}

extension Request {
    /// Whether there is a path and one host. A second host could mislead a part of the program that trusts it.
    /// ``TargetHandler`` has checked HTTP/1 before; HTTP/2 can name the host twice.
    fileprivate var namesOneHost: Bool {
        let second = HTTPField.Name("Host").flatMap { headers[$0] }
        return head.path?.hasPrefix("/") == true && head.authority != "" && (second == nil || second == head.authority)
    }
}

/// A body that throws the reason for its absence.
private struct RefusedBody: AsyncSequence, AsyncIteratorProtocol, Sendable {
    typealias Element = ByteBuffer

    let refusal: Refusal

    func makeAsyncIterator() -> RefusedBody { self }

    func next() async throws -> ByteBuffer? { throw refusal }
}
