// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Preparation of every program's process before anything else.
public enum ProgramStart {
    /// Prepares the process. Call it in the first statement, on the main thread, while there is no other.
    ///
    /// Writing to a closed pipe then fails (`EPIPE`) instead of ending the process by a signal, and the three standard
    /// descriptors are open. Children that `Subprocess` starts get every signal's default back (`posix_spawn` with
    /// `POSIX_SPAWN_SETSIGDEF`).
    public static func prepare() {
        openMissingDescriptors()
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Opens missing standard streams. Otherwise a file or socket could get their number, and everything that is
    /// printed.
    private static func openMissingDescriptors() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 && errno == EBADF {
            // The system uses the lowest free number, which is this one. Safe: the text is lent for the call.
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }
}
