// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import NIOCore
import ServiceLifecycle

/// Runs a listener with all its connections on the thread that reads and writes them: passing a request to another
/// thread and back takes longer than most requests do, and so does passing on a connection that comes or goes.
struct ListenerOnLoop<Listener: ApplicationProtocol>: Service {
    let listener: Listener
    let loop: any EventLoop

    func run() async throws {
        let listener = listener
        try await withTaskExecutorPreference(EventLoopExecutor(loop)) { try await listener.run() }
    }
}

/// Runs tasks on an event loop's thread.
private final class EventLoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { [self] in
            // Safe: the runtime hands each job over once, and it is run once.
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
