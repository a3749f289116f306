// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import Glibc
import LinuxSystem
public import Logging
public import ServiceLifecycle

/// A program's services, which go on until one of them reaches the end of it: a signal, or all that was to be done.
///
/// A service group takes it for a failure when a service finishes while another one is shut down, whatever was said
/// about its finishing. So none finishes before its turn. A signal and a film that come to an end at the same moment
/// are one end.
public struct LastingGroup: Sendable {
    private let ends: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation

    public init() { (ends, end) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Work after which the program has nothing left to do, whether it went well or not.
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
    /// - Parameter hangup: what `SIGHUP` means; false when it ends the process after all.
    public func signals(
        onHangup hangup: @escaping @Sendable () async -> Bool = { false }
    ) -> ServiceGroupConfiguration.ServiceConfiguration {
        ending {
            for await number in StopSignals.heard() {
                guard number == SIGHUP, await hangup() else { return }
            }
        }
    }

    /// Runs services, in which one that ends has to be, and shuts them down in reverse order.
    /// - Throws: what one of them threw.
    public func run(_ services: [ServiceGroupConfiguration.ServiceConfiguration], logger: Logger) async throws {
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: services, logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { [ends] tasks in
            tasks.addTask {
                for await _ in ends { return await group.triggerGracefulShutdown() }
            }
            defer { tasks.cancelAll() }
            try await group.run()
        }
    }
}

/// Work that goes on until it is told to stop, as a service.
public struct LastingWork: Service {
    private let stopsByItself: Bool
    private let work: @Sendable () async throws -> Void
    private var waits = false

    /// - Parameter stopsByItself: for work that is a group of services and hears of the shutdown; other
    ///   work is cancelled.
    public init(stopsByItself: Bool = false, _ work: @escaping @Sendable () async throws -> Void) {
        self.stopsByItself = stopsByItself
        self.work = work
    }

    /// The same work, which may be done or fail before the others are: it is over when it is told to stop.
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

/// A command that goes on until it is told to stop, and then ends orderly. It has to listen to `StopSignals`: they are
/// held from the program's first statement on, so that one that comes early is heard as well.
public protocol LastingCommand: AsyncParsableCommand {}
