// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

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

    /// Serves until the task is cancelled or a graceful shutdown begins, and until all that has begun is answered.
    /// - Throws: `IOError` where the address cannot be bound.
    func run() async throws {
        try await withTaskExecutorPreference(EventLoopExecutor(loop)) { try await serve() }
    }

    private func serve() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: WholeRequestConnection.self)
        let (rules, responder, date, logger) = (connections, responder, DateField(), Self.requestLogger(logger))
        let server = try await ServerBootstrap(group: loop)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    arrival.yield(
                        try WholeRequestConnection(
                            taking: channel, rules: rules, responder: responder, date: date, logger: logger))
                }
            }
            .bind(host: host, port: port).get()
        server.closeFuture.whenComplete { _ in arrival.finish() }
        // One that is closed again already has none: the other listener could not be bound.
        if let port = server.localAddress?.port { whenBound(port) }
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                // No more wait here than the rules' bounds admit.
                await withDiscardingTaskGroup { group in
                    for await connection in arrivals { group.addTask { await connection.serve() } }
                }
            } onGracefulShutdown: {
                server.close(promise: nil)
                rules.bounds.leave()
            }
        } onCancel: {
            server.close(promise: nil)
        }
    }

    private static let backlog: Int32 = 256

    /// What hummingbird says of a request: nothing, outside of debugging.
    private static func requestLogger(_ logger: Logger) -> Logger {
        logger.logLevel > .debug ? Logger(label: logger.label) { _ in SwiftLogNoOpLogHandler() } : logger
    }
}

/// Runs tasks on an event loop's thread, those that become ready together in one go.
private final class EventLoopExecutor: TaskExecutor {
    private struct Jobs {
        var ready: [UnownedJob] = []
        var isScheduled = false
    }

    private let loop: any EventLoop
    private let jobs = Mutex(Jobs())

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = jobs.withLock { jobs in
            defer { jobs.isScheduled = true }
            jobs.ready.append(job)
            return !jobs.isScheduled
        }
        if isFirst { schedule() }
    }

    private func schedule() { loop.execute { [self] in runAll() } }

    /// What becomes ready meanwhile comes behind what the loop has to do.
    private func runAll() {
        let ready = jobs.withLock { jobs in
            defer { jobs.ready = [] }
            return jobs.ready
        }
        for job in ready {
            // Safe: the runtime hands each job over once, and it is run once.
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
        let isMore = jobs.withLock { jobs in
            jobs.isScheduled = !jobs.ready.isEmpty
            return jobs.isScheduled
        }
        if isMore { schedule() }
    }
}
