// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import HummingbirdCore
import Glibc
import Logging
import NIOCore
import ServiceLifecycle
import MetricsService
import LinuxSystem

extension PageScreen {
    /// Serves the page until the task is cancelled or a graceful shutdown begins. Call it once.
    ///
    /// - Throws: ``PageScreenError/cannotListen(port:reason:)``.
    public func run() async throws {
        defer {
            hub.end()
            boundPort.settle(.failure(PageScreenError.notRunning))
        }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.serve() }
                group.addTask { try await self.beat() }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch let error as IOError {
            throw PageScreenError.cannotListen(port: port, reason: systemErrorText(error.errnoCode))
        }
    }

    private func serve() async throws {
        let hub = hub
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [.init(service: application)], logger: quietLogger))
        try await withGracefulShutdownHandler {
            try await group.run()
        } onGracefulShutdown: {
            // Streams of events would never end by themselves.
            hub.end()
        }
    }

    private func beat() async throws {
        while true {
            try await Task.sleep(for: limits.beat)
            hub.beat()
        }
    }

    private var application: some ApplicationProtocol {
        let router = Router(context: PageContext.self)
        router.add(middleware: PageGuard(port: boundPort))
        PageRoutes(hub: hub, token: token, visitors: visitors, keypad: keypad).add(to: router)
        let (boundPort, limits, visitors) = (boundPort, limits, visitors)
        return Application(
            router: router,
            server: .http1(
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [
                        VisitorHandler(visitors), StallHandler(patience: limits.stall),
                    ],
                    idleTimeout: TimeAmount(limits.idle),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 4096, maxHeaderListSize: 16384, maxHeaderFieldCount: 64))),
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port),
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections, logger: quietLogger)),
            onServerRunning: { channel in
                boundPort.settle(
                    channel.localAddress?.port.map { .success($0) } ?? .failure(PageScreenError.notRunning))
            }, logger: quietLogger)
    }

    /// Logs only critical faults unless debugging. An address that cannot be used ends with an error of its own;
    /// hummingbird would add the faults that follow from it.
    private var quietLogger: Logger {
        var logger = logger
        if logger.logLevel > .debug { logger.logLevel = .critical }
        return logger
    }
}
