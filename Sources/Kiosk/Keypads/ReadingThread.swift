// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A thread for blocking calls. Signals go to other threads.
enum ReadingThread {
    /// Starts `body` on a detached thread, which ends with it.
    static func start(_ body: @escaping @Sendable () -> Void) throws(KeypadError) {
        // Safe: the box is retained for the thread, which releases it.
        let box = unsafe Unmanaged.passRetained(Box(body: body))
        var thread = pthread_t()
        var all = sigset_t()
        var before = sigset_t()
        // Safe: the sets are ours. The new thread inherits the mask, and ours is restored.
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        let status = unsafe pthread_create(
            &thread, nil,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
                }
                return nil
            }, box.toOpaque())
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        guard status == 0 else {
            unsafe box.release()
            throw .resources(errno: status)
        }
        pthread_detach(thread)
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void

        init(body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
