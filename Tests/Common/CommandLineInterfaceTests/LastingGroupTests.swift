// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import LinuxSystem
import Logging
import ServiceLifecycle
import Synchronization
import Testing

@Suite("The services of a program end together", .timeLimit(.minutes(10)))
struct LastingGroupTests {
    private typealias Configuration = ServiceGroupConfiguration.ServiceConfiguration
    private struct Fault: Error {}

    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// A service that is shut down first, and continues until `done`, which happens after its shutdown has begun.
    private func slow(_ begun: Eventually<Void>, until done: Eventually<Void>) -> Configuration {
        .init(
            service: LastingWork(stopsByItself: true) {
                await withGracefulShutdownHandler {
                    try? await done.value
                    try? await Task.sleep(for: .milliseconds(50))
                } onGracefulShutdown: {
                    begun.settle(.success(()))
                }
            })
    }

    /// Work that ends by itself while the others are shut down.
    private func film(_ begun: Eventually<Void>, _ done: Eventually<Void>) -> LastingWork {
        LastingWork(stopsByItself: true) {
            try await begun.value
            done.settle(.success(()))
        }
    }

    /// The reason for this group: a plain ServiceGroup fails here. Once it does not, the group is not needed.
    @Test func aServiceGroupTakesItForAFailure() async {
        let (begun, done) = (Eventually<Void>(), Eventually<Void>())
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: LastingWork {}, successTerminationBehavior: .gracefullyShutdownGroup),
                    .init(service: film(begun, done), successTerminationBehavior: .ignore), slow(begun, until: done),
                ], logger: logger))
        await #expect(throws: ServiceGroupError.self) { try await group.run() }
    }

    @Test func whatEndsWhileAnotherIsShutDownIsNoFailure() async throws {
        let (begun, done) = (Eventually<Void>(), Eventually<Void>())
        let group = LastingGroup()
        try await group.run(
            [group.ending {}, .init(service: film(begun, done).andThenWaiting), slow(begun, until: done)],
            logger: logger)
    }

    /// A signal arrives while the kiosk ends by itself.
    @Test func twoEndsAreOne() async throws {
        let (begun, done) = (Eventually<Void>(), Eventually<Void>())
        let group = LastingGroup()
        let signal = group.ending {
            try? await begun.value
            done.settle(.success(()))
        }
        try await group.run([signal, group.ending {}, slow(begun, until: done)], logger: logger)
    }

    /// The other services are shut down as usual, not cancelled.
    @Test func aFailureIsTheGroups() async {
        let (begun, done) = (Eventually<Void>(), Eventually<Void>())
        done.settle(.success(()))
        let group = LastingGroup()
        let stopped = Mutex(false)
        let other = LastingWork(stopsByItself: true) {
            try? await gracefulShutdown()
            stopped.withLock { $0 = !Task.isCancelled }
        }
        await #expect(throws: Fault.self) {
            try await group.run(
                [.init(service: other), group.ending { throw Fault() }, slow(begun, until: done)], logger: logger)
        }
        #expect(stopped.withLock { $0 })
    }

    @Test func itRunsUntilOneReachesTheEnd() async throws {
        let (group, end, isOver) = (LastingGroup(), Eventually<Void>(), Eventually<Void>())
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { [logger] in
                try await group.run([group.ending { try await end.value }], logger: logger)
                isOver.settle(.success(()))
            }
            end.settle(.success(()))
            try await isOver.value
            try await tasks.waitForAll()
        }
    }
}
