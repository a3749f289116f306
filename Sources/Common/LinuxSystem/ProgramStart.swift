// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Preparation that every program of the project makes in its process before anything else.
public enum ProgramStart {
    /// Call it in the first statement, on the main thread, while there is no other.
    ///
    /// A reader that has gone becomes an error of `write` (`EPIPE`) instead of a signal that ends the process, and the
    /// three standard descriptors are open. Children that `Subprocess` starts get every signal's default back
    /// (`posix_spawn` with `POSIX_SPAWN_SETSIGDEF`), whatever is ignored here.
    public static func prepare() {
        openMissingDescriptors()
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// A file or socket that took the place of a missing standard stream would be given everything that is printed.
    private static func openMissingDescriptors() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 && errno == EBADF {
            // The lowest free number is taken, which is this one. Safe: the text is lent for the call.
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }
}
