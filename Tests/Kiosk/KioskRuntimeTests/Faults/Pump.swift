// SPDX-License-Identifier: Apache-2.0

import Glibc
import Patience
import Synchronization

/// Runs all tasks that begin on one thread on that thread, one job after the other, so that the same seed takes the
/// same way each time. When no job is left, everything waits for the next event. Tasks of other threads run as usual.
final class Pump: SerialExecutor {
    static let shared = Pump()

    private struct State {
        var thread: pthread_t?
        var jobs: [UnownedJob] = []
    }

    private let state = Mutex(State())

    private init() {
        // The runtime's own place for an executor of all tasks.
        guard let place = unsafe dlsym(dlopen(nil, 0), "swift_task_enqueueGlobal_hook") else {
            fatalError("this Swift runtime has no hook for jobs")
        }
        unsafe place.assumingMemoryBound(to: Hook?.self).pointee = { job, original in
            if !Pump.shared.takes(job) { original(job) }
        }
    }

    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

    func enqueue(_ job: consuming ExecutorJob) { fatalError("no actor has this executor") }

    /// - Returns: false for a job of another thread.
    private func takes(_ job: UnownedJob) -> Bool {
        let current = pthread_self()
        return state.withLock { state in
            guard let thread = state.thread, pthread_equal(thread, current) != 0 else { return false }
            state.jobs.append(job)
            return true
        }
    }

    /// Calls `body` on a thread of its own, whose tasks this object runs.
    func work<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await LoopbackConnection.apart { [self] in
            state.withLock { $0.thread = pthread_self() }
            defer { state.withLock { $0.thread = nil } }
            return try body()
        }
    }

    /// Runs jobs until none is left.
    func drain() {
        while let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
            unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        }
    }

    /// Runs a task to its end.
    ///
    /// - Throws: ``Stuck`` when it waits for something.
    func run<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
        let end = Ending<Result>()
        Task {
            do {
                let result = try await body()
                end.result.withLock { $0 = .success(result) }
            } catch { end.result.withLock { $0 = .failure(error) } }
        }
        drain()
        guard let result = end.result.withLock({ $0 }) else { throw Stuck() }
        return try result.get()
    }

    struct Stuck: Error {}

    private final class Ending<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }
}
