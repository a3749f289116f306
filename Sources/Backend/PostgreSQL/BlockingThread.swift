// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Threads for calls of libpq that wait: to look up a name and to connect takes seconds where a network is slow, and
/// none of Swift's own threads may stand still for so long.
enum BlockingThread {
    /// Runs `body` on a thread of its own that ends with it.
    /// - Returns: whether there is one; without, `body` is not run.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        // Safe: the box is retained for the thread and released by it, or here when there is none.
        let box = unsafe Unmanaged.passRetained(Body(run: body)).toOpaque()
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                // Signals are the program's business.
                var all = sigset_t()
                unsafe sigfillset(&all)
                unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
                if let argument = unsafe argument {
                    unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, box)
        guard code == 0 else {
            unsafe Unmanaged<Body>.fromOpaque(box).release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
