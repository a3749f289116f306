// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A thread for calls that block, outside the pool that Swift's tasks share. It is joined when its owner goes, so tell
/// its body to end before.
///
/// Signals are handled elsewhere: all are blocked here, and a pipe without a reader is an error of `write`.
public struct DedicatedThread: ~Copyable, Sendable {
    private let thread: pthread_t

    public init(_ body: @escaping @Sendable () -> Void) {
        // Safe: the box is retained for the thread and released by it.
        let box = unsafe Unmanaged.passRetained(Body(run: body)).toOpaque()
        var thread = pthread_t()
        var all = sigset_t()
        var before = sigset_t()
        // Safe: both sets are ours; the mask is inherited by the new thread and then put back.
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        let status = unsafe pthread_create(
            &thread, nil,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, box)
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        precondition(status == 0, "the system refuses another thread")
        self.thread = thread
    }

    deinit {
        pthread_join(thread, nil)
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
