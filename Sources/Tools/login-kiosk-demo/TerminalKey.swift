// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A key that a person presses at this terminal.
enum TerminalKey {
    private static let interval = Duration.milliseconds(50)

    /// Waits for a key without showing it, until the task is cancelled.
    static func wait() async throws {
        var before = termios()
        // Safe: the call fills a local structure.
        guard unsafe tcgetattr(STDIN_FILENO, &before) == 0 else { return }
        var mode = before
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // Safe: the calls read local structures.
        _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &mode)
        // Discards the further bytes that an arrow key sends.
        defer { _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        // Safe: one local structure.
        while unsafe poll(&input, 1, 0) == 0 { try await Task.sleep(for: interval) }
    }
}
