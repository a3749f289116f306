// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// The console of this machine at which the program was started.
enum OwnConsole {
    /// The device number of the kernel's consoles.
    private static let major: dev_t = 4

    /// Whether it is the active console. True also for a program that was started elsewhere.
    static var isInFront: Bool {
        var status = stat()
        // Safe: the structure is written during the call.
        guard unsafe fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFCHR,
            status.st_rdev >> 8 == OwnConsole.major, 1...63 ~= status.st_rdev & 0xFF,
            let front = try? OpenedFile.read("/sys/class/tty/tty0/active", upTo: 4096)
        else { return true }
        return String(decoding: front, as: UTF8.self) == "tty\(status.st_rdev & 0xFF)\n"
    }
}
