// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// The signal that asks a process to end. Where a camera is filmed the scanner gives the camera's exposure back first,
/// and is killed if it does not end.
enum StopSignal {
    private static let flag = Atomic(false)

    static var hasCome: Bool { flag.load(ordering: .relaxed) }

    static func watch() {
        // The handler finds the flag made.
        _ = hasCome
        signal(SIGTERM) { _ in StopSignal.flag.store(true, ordering: .relaxed) }
        // The program that starts this one may have blocked it.
        var own = sigset_t()
        // Safe: the set is ours, and read during the call.
        unsafe sigemptyset(&own)
        unsafe sigaddset(&own, SIGTERM)
        unsafe pthread_sigmask(SIG_UNBLOCK, &own, nil)
    }
}
