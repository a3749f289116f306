// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Glibc
import HTTPTypes
package import Hummingbird
import HummingbirdCore
package import Logging
import MetricsService
import NIOCore
import NIOHTTP1
import ServiceLifecycle

/// The rules for all connections of a server.
package struct ConnectionRules: Sendable {
    let addresses: ClientAddressSource
    let bounds: ConnectionBounds
    let complaint = ProxyComplaint()
    /// Makes TLS connections; nil without TLS.
    var tls: (any TLSConnections)?
    /// The time for a client to take a part of an answer.
    var stall = StallHandler.patience

    package init(from addresses: ClientAddressSource, perAddress: Int, tls: (any TLSConnections)? = nil) {
        self.addresses = addresses
        self.tls = tls
        bounds = ConnectionBounds(perAddress: perAddress)
    }
}

/// Serves an address with a router. Hummingbird speaks HTTP; handlers in front of it bound the cost of strangers.
/// docs/decisions/0127-hummingbirds-connections.md
package struct WebServer: Service {
    /// The idle time between two requests.
    static let idleTime = TimeAmount.seconds(30)
    private static let largestHeader = 64 * 1024

    let responder: RouterResponder<BasicRequestContext>
    let connections: ConnectionRules
    let host: String
    /// The port; 0 for a free one.
    let port: Int
    let logger: Logger
    /// Called with the port that was bound.
    let whenBound: @Sendable (Int) -> Void

    package init(
        responder: RouterResponder<BasicRequestContext>, connections: ConnectionRules, host: String, port: Int,
        logger: Logger, whenBound: @escaping @Sendable (Int) -> Void
    ) {
        self.responder = responder
        self.connections = connections
        self.host = host
        self.port = port
        self.logger = logger
        self.whenBound = whenBound
    }

    /// Serves until the task is cancelled, or a graceful shutdown begins and all requests are answered.
    /// - Throws: `IOError` if the address cannot be bound.
    func run() async throws {
        // A socket on IPv6's unspecified address takes IPv4 as well. A machine without IPv6 has IPv4 alone.
        do { try await application(at: host).run() } catch let error as IOError
            where host == "::" && [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.errnoCode)
        { try await application(at: "0.0.0.0").run() }
    }

    private func application(at host: String) -> some ApplicationProtocol {
        let (rules, whenBound) = (connections, whenBound)
        let requests = HTTP1Channel.Configuration(
            additionalChannelHandlers: [StallHandler(patience: rules.stall), RequestHandler()],
            idleTimeout: Self.idleTime,
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: Self.largestHeader, maxHeaderListSize: Self.largestHeader))
        return Application(
            responder: AddressResponder(routes: responder, rules: rules, logger: logger),
            server: HTTPServerBuilder { responder in
                guard let tls = rules.tls else {
                    return BoundedChannel(
                        base: HTTP1Channel(responder: responder, configuration: requests), rules: rules)
                }
                return try tls.channel(responder, requests).bounded(by: rules)
            },
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            // A channel that is closed again, because another server could not be bound, has no port.
            onServerRunning: { channel in if let port = channel.localAddress?.port { whenBound(port) } },
            logger: quietLogger)
    }

    /// A logger without hummingbird's messages that operators do not need.
    private var quietLogger: Logger {
        logger.logLevel > .debug ? Logger(label: logger.label) { _ in SwiftLogNoOpLogHandler() } : logger
    }
}

/// Connections with their bounds in front of hummingbird's reads and writes.
private struct BoundedChannel<Base: ServerChildChannel>: ServerChildChannel {
    /// Number of bytes that are read at once: enough for nearly every request, but not for many pipelined ones.
    private static var readLength: Int { 4096 }

    let base: Base
    let rules: ConnectionRules

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
            try channel.syncOptions?.setOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.readLength))
            try channel.pipeline.syncOperations.addHandler(ConnectionHandler(taking: channel, rules: rules))
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

extension ServerChildChannel {
    fileprivate func bounded(by rules: ConnectionRules) -> any ServerChildChannel {
        BoundedChannel(base: self, rules: rules)
    }
}

/// The connection or HTTP/2 stream of a request.
private struct ConnectionContext: InitializableFromSource {
    let channel: any Channel
    private let logger: Logger

    init(source: ApplicationRequestContextSource) { (channel, logger) = (source.channel, source.logger) }

    /// The context for routes.
    var ofRoutes: BasicRequestContext {
        BasicRequestContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
    }
}

/// Answers requests by the routes, with complete bodies and the client's address.
private struct AddressResponder: HTTPResponder {
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
            var refusal = Refusal(408, "Body too slow")
            refusal.headers["Connection"] = "close"
            return refused(request, refusal)
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
