// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// Answers the requests that come to an address by the routes of a router, all on one event loop's thread: passing a
/// request, or a connection that comes or goes, to another thread and back takes longer than most requests do.
/// docs/decisions/0090-connections-without-a-stream.md
struct Listener: Service {
    let responder: RouterResponder<BasicRequestContext>
    let connections: ConnectionRules
    let host: String
    /// 0 takes a free one.
    let port: Int
    let loop: any EventLoop
    let logger: Logger
    /// Hears the port that was bound.
    let whenBound: @Sendable (Int) -> Void

    /// Serves until the task is cancelled or a graceful shutdown begins.
    /// - Throws: `IOError` where the address cannot be bound.
    func run() async throws {
        let logger = Self.serverLogger(logger)
        let connection = WholeRequestConnection(
            rules: connections, responder: responder, date: DateField(), logger: logger)
        let server = connection.server(
            configuration: ServerConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { [whenBound] channel in
                // One that is closed again already has none: the other listener could not be bound.
                if let port = channel.localAddress?.port { whenBound(port) }
            }, eventLoopGroup: loop, logger: logger)
        try await withTaskExecutorPreference(EventLoopExecutor(loop)) { try await server.run() }
    }

    /// What hummingbird says itself: nothing, outside of debugging. A listener that cannot be bound ends with an error
    /// of its own.
    private static func serverLogger(_ logger: Logger) -> Logger {
        logger.logLevel > .debug ? Logger(label: logger.label) { _ in SwiftLogNoOpLogHandler() } : logger
    }
}

/// Runs tasks on an event loop's thread.
private final class EventLoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { [self] in
            // Safe: the runtime hands each job over once, and it is run once.
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
