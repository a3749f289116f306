// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import Glibc
public import LinuxSystem
public import Logging
public import ServiceLifecycle

/// A program's services, which run until one of them ends the program: a signal, or the end of all work.
///
/// A service group treats a service that finishes while another is shut down as a failure in every configuration. So
/// each one waits for its shutdown. A signal and a film that end at the same moment are one end.
public struct LastingGroup: Sendable {
    private let ends: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation

    public init() { (ends, end) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Work that ends the program when it finishes or fails.
    public func ending(
        _ work: @escaping @Sendable () async throws -> Void
    ) -> ServiceGroupConfiguration.ServiceConfiguration {
        .init(
            service: LastingWork { [end] in
                defer { end.yield() }
                try await work()
            }.andThenWaiting, failureTerminationBehavior: .gracefullyShutdownGroup)
    }

    /// The signals that end the process.
    ///
    /// - Parameter hangup: handles `SIGHUP`; returns false if it should end the process.
    public func signals(
        onHangup hangup: @escaping @Sendable (StopSignals.Heard) async -> Bool = { _ in false }
    ) -> ServiceGroupConfiguration.ServiceConfiguration {
        ending {
            for await signal in StopSignals.heard() {
                guard signal.number == SIGHUP, await hangup(signal) else { return }
            }
        }
    }

    /// The signals that end the process. `SIGHUP` does so only if the process's terminal has closed: a process that
    /// outlived its terminal (`disown`) goes on.
    ///
    /// - Parameter reread: handles `SIGHUP` otherwise.
    public func signals(
        rereading reread: @escaping @Sendable () async -> Void
    ) -> ServiceGroupConfiguration.ServiceConfiguration {
        let hadTerminal = Self.hasTerminal
        return signals { signal in
            if signal.isFromSession, hadTerminal, !Self.hasTerminal { return false }
            await reread()
            return true
        }
    }

    private static var hasTerminal: Bool {
        // Safe: the text is lent for the call.
        let descriptor = unsafe open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }

    /// Runs services until one ends the program, and shuts them down in reverse order.
    /// - Throws: the first error of a service.
    public func run(_ services: [ServiceGroupConfiguration.ServiceConfiguration], logger: Logger) async throws {
        // At finer levels the library prints each service's whole value.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .info)
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: services, logger: quiet))
        try await withThrowingTaskGroup(of: Void.self) { [ends] tasks in
            tasks.addTask {
                for await _ in ends { return await group.triggerGracefulShutdown() }
            }
            defer { tasks.cancelAll() }
            try await group.run()
        }
    }
}

/// Work that runs until it is told to stop, as a service.
public struct LastingWork: Service {
    private let stopsByItself: Bool
    private let work: @Sendable () async throws -> Void
    private var waits = false

    /// - Parameter stopsByItself: for work that is a group of services and handles the shutdown itself; other work is
    ///   cancelled.
    public init(stopsByItself: Bool = false, _ work: @escaping @Sendable () async throws -> Void) {
        self.stopsByItself = stopsByItself
        self.work = work
    }

    /// The same work, which may finish or fail before the others: it then waits for the shutdown.
    public var andThenWaiting: LastingWork {
        var waiting = self
        waiting.waits = true
        return waiting
    }

    public func run() async throws {
        let result: Result<Void, any Error>
        do {
            result = .success(try await perform())
        } catch {
            result = .failure(error)
        }
        if waits { try? await gracefulShutdown() }
        try result.get()
    }

    private func perform() async throws {
        do {
            if stopsByItself { try await work() } else { try await cancelWhenGracefulShutdown(work) }
        } catch is CancellationError {}
    }
}

/// A command that runs until it is told to stop, and then ends in order. It has to listen to `StopSignals`: they are
/// held from the program's first statement on, so that an early one is not lost.
public protocol LastingCommand: AsyncParsableCommand {}
