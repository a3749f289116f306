// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Ends the process when one frame takes more processor time than any frame should, for example because a library never
/// returns.
public enum ProcessorLimit {
    /// The limit for a frame of a camera: less than the time for which the parent waits for a message.
    public static let frame = 4
    /// The limit for a picture that is shown once.
    public static let picture = 60
    /// The limit for a process whose parent has gone, to end in order.
    private static let orphan = 1

    private static let isLast = Atomic(false)

    /// Prepares the process. Called before it is confined.
    public static func prepare() {
        // The handlers find it made.
        _ = isLast.load(ordering: .relaxed)
        signal(SIGPROF) { _ in
            // Only what a signal handler may do.
            let complaint: StaticString = "login-kiosk: a frame took too much processor time\n"
            // Safe: bytes and count of one literal.
            _ = unsafe write(STDERR_FILENO, complaint.utf8Start, complaint.utf8CodeUnitCount)
            _exit(EX_SOFTWARE)
        }
        admit(SIGPROF)
    }

    /// - Parameter seconds: processor time that the process may use from now on; 0 for no limit.
    public static func set(_ seconds: Int) {
        if !isLast.load(ordering: .relaxed) { start(seconds) }
    }

    /// Sets the limit for a process whose parent has gone. No other one follows.
    public static func setLast() {
        isLast.store(true, ordering: .relaxed)
        start(orphan)
    }

    private static func start(_ seconds: Int) {
        var limit = itimerval()
        limit.it_value.tv_sec = seconds
        // Safe: the structure is read during the call.
        _ = unsafe setitimer(Int32(ITIMER_PROF.rawValue), &limit, nil)
    }

    /// The program that starts this one may have blocked the signal.
    public static func admit(_ number: Int32) {
        var own = sigset_t()
        // Safe: the set is ours, and read during the call.
        unsafe sigemptyset(&own)
        unsafe sigaddset(&own, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &own, nil)
    }
}
