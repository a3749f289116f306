// SPDX-License-Identifier: Apache-2.0

import Glibc

/// One thread of the operating system, for work that blocks.
struct TransferThread: Sendable {
    private let id: pthread_t

    init(_ body: @escaping @Sendable () -> Void) throws(CurlSetupError) {
        let start = Start(body)
        var id = pthread_t()
        // Safe: the reference passed over is released by the new thread, or here when there is none.
        let context = unsafe Unmanaged.passRetained(start).toOpaque()
        let code = unsafe pthread_create(
            &id, nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context)
        guard code == 0 else {
            unsafe Unmanaged<Start>.fromOpaque(context).release()
            throw CurlSetupError("no thread for network transfers: error \(code) of pthread_create")
        }
        self.id = id
    }

    func join() {
        // Safe: called once, by the owner's deinit, for a thread that is never detached.
        pthread_join(id, nil)
    }

    private final class Start: Sendable {
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }

        func run() {
            // Signals are the program's business, and a peer that goes away must be an error, not SIGPIPE. Resolver
            // threads that curl starts inherit the mask.
            var all = sigset_t()
            unsafe sigfillset(&all)
            unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
            body()
        }
    }
}
