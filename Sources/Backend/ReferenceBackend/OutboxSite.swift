// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import Hummingbird
import LinuxSystem
import Logging
import MPinServer

/// Shows the sent mails at a separate loopback address, on a free port, behind a password.
struct OutboxSite: Sendable {
    private static let host = "127.0.0.1"

    let outbox: Outbox
    let logger: Logger
    let password: OutboxPassword
    let port = Eventually<Int>()

    /// Known once the port is bound.
    var url: String {
        get async throws { "http://\(Self.host):\(try await port.value)/outbox" }
    }

    var webServer: WebServer {
        let router = Router(context: BasicRequestContext.self)
        router.add(middleware: GuardMiddleware(logger: logger))
        router.add(middleware: OutboxPasswordMiddleware(password: password))
        OutboxRoutes(outbox: outbox).add(to: router)
        let port = port
        return WebServer(
            responder: router.buildResponder(),
            connections: ConnectionRules(from: ClientAddressSource(), perAddress: ConnectionBounds.maximum),
            host: Self.host, port: 0, logger: logger, whenBound: { port.settle(.success($0)) })
    }
}
