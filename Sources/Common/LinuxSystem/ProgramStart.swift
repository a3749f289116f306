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

    /// The process's arguments as the kernel keeps them, with the program's name.
    ///
    /// - Returns: nil when they cannot be read, with `errno`.
    public static func arguments() -> [String]? {
        // Safe: the text is lent for the call.
        let file = unsafe open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            // Safe: at most the size of our own array.
            let count = unsafe piece.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += piece.prefix(count)
        }
        // Each ends with a zero.
        return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
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
