// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import Glibc
import LinuxSystem
public import ServiceLifecycle

/// Work that goes on until it is told to stop, as a service.
public struct LastingWork: Service {
    private let stopsByItself: Bool
    private let work: @Sendable () async throws -> Void

    /// - Parameter stopsByItself: for work that is a group of services and hears of the shutdown; other
    ///   work is cancelled.
    public init(stopsByItself: Bool = false, _ work: @escaping @Sendable () async throws -> Void) {
        self.stopsByItself = stopsByItself
        self.work = work
    }

    public func run() async throws {
        do {
            if stopsByItself { try await work() } else { try await cancelWhenGracefulShutdown(work) }
        } catch is CancellationError {}
    }
}

extension ServiceGroupConfiguration.ServiceConfiguration {
    /// Shuts the group down when the process is told to end.
    public static var stopSignals: Self { .signals { false } }

    /// The same, but for `SIGHUP` while it means something else.
    ///
    /// - Parameter hangup: does it; false when the signal ends the process after all.
    public static func signals(onHangup hangup: @escaping @Sendable () async -> Bool) -> Self {
        .init(
            service: LastingWork {
                for await number in StopSignals.heard() {
                    guard number == SIGHUP, await hangup() else { break }
                }
            },
            successTerminationBehavior: .gracefullyShutdownGroup)
    }
}

/// A command that goes on until it is told to stop, and then ends orderly. It has to listen to `StopSignals`: they are
/// held from the program's first statement on, so that one that comes early is heard as well.
public protocol LastingCommand: AsyncParsableCommand {}
