// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Logging
import ServiceLifecycle
import Synchronization
import Testing
import Waiting

@Suite("A program's services end as one", .timeLimit(.minutes(5)))
struct LastingGroupTests {
    private typealias Configuration = ServiceGroupConfiguration.ServiceConfiguration
    private struct Fault: Error {}

    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Is shut down first, and goes on for a while after something else was done that its shutdown has begun.
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

    /// What comes to an end by itself while the others are shut down.
    private func film(_ begun: Eventually<Void>, _ done: Eventually<Void>) -> LastingWork {
        LastingWork(stopsByItself: true) {
            try await begun.value
            done.settle(.success(()))
        }
    }

    /// Why there is such a group at all: if this is no failure any more, it is not needed.
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

    /// A signal that comes while the kiosk ends by itself.
    @Test func twoEndsAreOne() async throws {
        let (begun, done) = (Eventually<Void>(), Eventually<Void>())
        let group = LastingGroup()
        let signal = group.ending {
            try? await begun.value
            done.settle(.success(()))
        }
        try await group.run([signal, group.ending {}, slow(begun, until: done)], logger: logger)
    }

    /// The others are shut down as at any other end, not cancelled.
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
