// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Hummingbird
import HummingbirdCore
package import Logging
import MetricsService
import NIOCore
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
