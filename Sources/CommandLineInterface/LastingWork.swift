// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
public import ServiceLifecycle

/// Work that goes on until it is told to stop, as a service.
public struct LastingWork: Service {
    private let stopsByItself: Bool
    private let work: @Sendable () async throws -> Void

    /// - Parameter stopsByItself: for work that is a group of services and hears of the shutdown; other work is cancelled.
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
    public static var stopSignals: Self {
        .init(
            service: LastingWork { for await _ in StopSignals.heard() { break } },
            successTerminationBehavior: .gracefullyShutdownGroup)
    }
}
