// SPDX-License-Identifier: Apache-2.0

import Glibc
import Keypads
import KioskPorts
import Patience
import Testing

/// A terminal of another process, opened as a keypad.
struct RawTerminal {
    let presses: AsyncCompactMapSequence<AsyncStream<KeypadReport>, KeyPress>

    /// Waits until the echo is off.
    init(_ path: String) async throws {
        let device = unsafe open(path, O_RDWR | O_NOCTTY)
        try #require(device >= 0)
        presses = ConsoleKeypad(input: device, output: device).presses()
        try await Patience.until {
            var mode = termios()
            // Safe: the call fills a local structure.
            try #require(unsafe tcgetattr(device, &mode) == 0)
            return mode.c_lflag & tcflag_t(ECHO) == 0
        }
    }
}
