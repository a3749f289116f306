// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Runs tasks on an event loop's thread.
final class EventLoopExecutor: TaskExecutor {
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
