// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Runs all tasks of the process on the fuzzer's own thread, one job after the other, so that the same input takes the
/// same way each time. When no job is left, everything waits for the next event.
final class Pump: SerialExecutor {
    static let shared = Pump()

    private let jobs = Mutex<[UnownedJob]>([])

    private init() {
        // The runtime's own place for an executor of all tasks.
        guard let place = unsafe dlsym(dlopen(nil, 0), "swift_task_enqueueGlobal_hook") else {
            fatalError("this Swift runtime has no hook for jobs")
        }
        unsafe place.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in Pump.shared.add(job) }
    }

    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

    func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job)) }

    private func add(_ job: UnownedJob) { jobs.withLock { $0.append(job) } }

    /// Runs jobs until none is left.
    ///
    /// - Parameter bound: more jobs than this are an endless loop.
    func drain(atMost bound: Int = 200_000) {
        var count = 0
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            unsafe job.runSynchronously(on: asUnownedSerialExecutor())
            count += 1
            expect(count < bound, "the work after one event has an end")
        }
    }

    /// Runs a task to its end.
    func run(_ body: @escaping @Sendable () async -> Void) {
        let end = Flag()
        Task {
            await body()
            end.isSet.withLock { $0 = true }
        }
        drain()
        expect(end.isSet.withLock { $0 }, "a call with an answer to each request ends")
    }
}

private final class Flag: Sendable {
    let isSet = Mutex(false)
}
