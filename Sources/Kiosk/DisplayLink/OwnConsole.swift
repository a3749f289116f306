// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// The console of this machine at which the program was started.
enum OwnConsole {
    /// The major device number of the kernel's consoles. The minor one is the console's own.
    private static let major: dev_t = 4
    private static let numbers: ClosedRange<dev_t> = 1...63

    /// Whether it is the active console. True also for a program that was started elsewhere.
    static var isInFront: Bool {
        var status = stat()
        // Safe: the structure is written during the call.
        guard unsafe fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return true }
        let (major, number) = (status.st_rdev >> 8, status.st_rdev & 0xFF)
        guard major == OwnConsole.major, numbers.contains(number),
            let front = try? OpenedFile.read("/sys/class/tty/tty0/active", upTo: 4096)
        else { return true }
        return String(decoding: front, as: UTF8.self) == "tty\(number)\n"
    }
}
