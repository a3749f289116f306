// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LinuxSystem
import Synchronization

/// A pool of threads that run calls, each with a connection of its own. A thread begins when a call finds none free,
/// and ends with its connection. The numbers of threads and of waiting calls are bounded, and each call has a deadline.
final class ConnectionPool: Sendable {
    struct Bounds: Sendable {
        var connections = 8
        /// The largest number of waiting calls.
        var waiting = 1024
    }

    /// A call. It ends once: on a connection, or with the reason why it got none.
    private final class Job: Sendable {
        typealias Connection = Result<ServerConnection, DatabaseFault>

        struct End: Sendable {
            /// Whether the connection can be used again.
            let isUsable: Bool
            let resume: @Sendable () -> Void
        }

        let deadline: ContinuousClock.Instant
        /// Nil after the end.
        private let body: Mutex<(@Sendable (Connection) -> End)?>

        init(until deadline: ContinuousClock.Instant, _ body: @escaping @Sendable (Connection) -> End) {
            self.deadline = deadline
            self.body = Mutex(body)
        }

        var isOver: Bool { body.withLock { $0 == nil } }

        /// - Returns: nil when the job has already ended.
        func run(on connection: ServerConnection) -> End? {
            guard let body = take() else { return nil }
            return body(.success(connection))
        }

        func refuse(_ fault: DatabaseFault) {
            guard let body = take() else { return }
            body(.failure(fault)).resume()
        }

        private func take() -> (@Sendable (Connection) -> End)? {
            body.withLock { body in
                defer { body = nil }
                return body
            }
        }
    }

    private struct State {
        var jobs: [Job] = []
        /// Threads, among them those that wait for a job and those that connect.
        var (threads, idle, connecting) = (0, 0, 0)
        /// The reason why the last connection could not be opened, and the time of the next attempt.
        var failure: (fault: DatabaseFault, until: ContinuousClock.Instant, pause: Duration)?
        var isClosed = false
    }

    private enum Need {
        case nothing, thread
        case refusal(DatabaseFault, [Job])
    }

    /// The pause after a failed attempt to connect: doubled each time, and reset by a successful one.
    private static let pauses = (first: Duration.milliseconds(50), longest: Duration.seconds(1))

    private let bounds: Bounds
    private let connect: @Sendable () -> Result<ServerConnection, DatabaseFault>
    private let state = Mutex(State())
    /// Signalled for each job, and for each thread at the end.
    private let signal = DispatchSemaphore(value: 0)

    /// - Parameter connect: opens a connection, on a thread that it may block.
    init(bounds: Bounds, connect: @escaping @Sendable () -> Result<ServerConnection, DatabaseFault>) {
        self.bounds = bounds
        self.connect = connect
    }

    /// Ends the threads and their connections.
    func close() {
        state.withLock { $0.isClosed = true }
        for _ in 0..<bounds.connections { signal.signal() }
    }

    /// Runs `body` on a thread, with its connection.
    nonisolated(nonsending) func run<Value: Sendable>(
        until deadline: ContinuousClock.Instant,
        _ body: @escaping @Sendable (ServerConnection) throws(DatabaseFault) -> Value
    ) async throws(DatabaseFault) -> Value {
        let result = await withCheckedContinuation {
            (caller: CheckedContinuation<Result<Value, DatabaseFault>, Never>) in
            add(
                Job(until: deadline) { connection in
                    let result = Result { () throws(DatabaseFault) in try body(try connection.get()) }
                    let isLost = if case .failure(let fault) = result { fault.endsConnection } else { false }
                    let isUsable = !isLost && (try? connection.get())?.isBetweenTransactions == true
                    return Job.End(isUsable: isUsable) { caller.resume(returning: result) }
                })
        }
        return try result.get()
    }

    private func add(_ job: Job) {
        let (isAdded, isDelayed) = change { state in
            if state.jobs.count >= bounds.waiting { state.jobs.removeAll { $0.isOver } }
            // Calls that find a thread, or for which one may begin, are not counted.
            let free = state.idle + state.connecting + bounds.connections - state.threads
            guard state.jobs.count < bounds.waiting + free else { return (false, false) }
            state.jobs.append(job)
            return (true, state.jobs.count > state.idle)
        }
        guard isAdded else { return job.refuse(DatabaseFault(.busy, "too much waits for the database")) }
        signal.signal()
        if isDelayed { limit(job) }
    }

    /// Ends a job at its deadline if no connection has taken it.
    private func limit(_ job: Job) {
        let rest: Double = (job.deadline - .now) / .seconds(1)
        DispatchQueue.global().asyncAfter(deadline: .now() + max(0, rest)) { [weak job] in
            job?.refuse(DatabaseFault(.late, "no connection to the database became free or was made in time"))
        }
    }

    /// Changes the state, then begins a thread if jobs need one. Without any connection, and for a while after a failed
    /// attempt, jobs are refused.
    private func change<Value>(_ body: (inout State) -> Value) -> Value {
        let (value, needed) = state.withLock { state -> (Value, Need) in
            let value = body(&state)
            return (value, need(&state))
        }
        switch needed {
        case .nothing: break
        case .thread:
            do throws(SystemRefusal) { try SystemThread.detach { [self] in serve() } } catch {
                fail(DatabaseFault(.unreachable, "\(error)"))
            }
        case .refusal(let fault, let jobs): for job in jobs { job.refuse(fault) }
        }
        return value
    }

    /// - Returns: the jobs' need. A thread that has to begin is counted from here on.
    private func need(_ state: inout State) -> Need {
        guard state.jobs.count > state.idle + state.connecting, state.threads < bounds.connections else {
            return .nothing
        }
        if let failure = state.failure, failure.until > .now {
            guard state.threads == 0 else { return .nothing }
            defer { state.jobs = [] }
            return .refusal(failure.fault, state.jobs)
        }
        state.threads += 1
        state.connecting += 1
        return .thread
    }

    private func fail(_ fault: DatabaseFault) {
        change { state in
            state.threads -= 1
            state.connecting -= 1
            let pause = min(state.failure.map { $0.pause * 2 } ?? Self.pauses.first, Self.pauses.longest)
            state.failure = (fault, .now + pause, pause)
        }
    }

    /// A thread: runs jobs until its connection or the pool ends.
    private func serve() {
        let connection: ServerConnection
        do throws(DatabaseFault) { connection = try connect().get() } catch { return fail(error) }
        change { state in
            state.connecting -= 1
            state.idle += 1
            state.failure = nil
        }
        while let job = next() {
            guard connection.isQuiet else {
                // The job is the next thread's, and one thread fewer is there for the others.
                let waiting = change { state in
                    state.threads -= 1
                    state.jobs.insert(job, at: 0)
                    return state.jobs
                }
                signal.signal()
                return waiting.forEach(limit)
            }
            let end = job.run(on: connection)
            let isUsable = end?.isUsable ?? true
            change { state in if isUsable { state.idle += 1 } else { state.threads -= 1 } }
            end?.resume()
            guard isUsable else { return }
        }
    }

    /// Blocks until there is a job.
    /// - Returns: nil when the pool is closed.
    private func next() -> Job? {
        while true {
            signal.wait()
            let (job, isClosed) = state.withLock { state -> (Job?, Bool) in
                guard !state.jobs.isEmpty else { return (nil, state.isClosed) }
                state.idle -= 1
                return (state.jobs.removeFirst(), false)
            }
            if job != nil || isClosed { return job }
        }
    }
}
