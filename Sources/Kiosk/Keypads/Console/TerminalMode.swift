// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// A terminal without echo and line editing during the value's lifetime; afterwards its old mode is restored.
///
/// The mode is also restored when the process ends by `exit` or by a signal that the program does not handle, because
/// the person needs a shell that echoes. One terminal at a time.
struct TerminalMode: ~Copyable, Sendable {
    private let ticket: TerminalRestorer.Ticket?

    /// - Parameters:
    ///   - descriptor: left alone when it is not a terminal: a pipe has no echo.
    ///   - output: is asked to mark pastes (xterm's bracketed paste mode), and to send digits for a number pad; nil
    ///     asks nothing.
    ///   - stop: leaves the terminal alone when it is raised.
    init(raw descriptor: Int32, output: Int32?, unless stop: Waker) throws(KeypadError) {
        guard isatty(descriptor) == 1 else {
            ticket = nil
            return
        }
        // The shell is using it.
        guard !ConsoleKeypad.isInBackground(descriptor) else { throw .background }
        ticket = try TerminalRestorer.change(descriptor, output: output, unless: stop) { TerminalMode.makeRaw(&$0) }
    }

    private static func makeRaw(_ mode: inout termios) {
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHOE | ECHOK | ECHONL | IEXTEN)
        // Ctrl-C stays a signal. CR and LF arrive as typed.
        mode.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR | IXON)
        withCharacters(of: &mode) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
            // Ctrl-Z would leave a shell without echo.
            characters[Int(VSUSP)] = 0
        }
    }

    /// Whether there is a terminal whose modes another program can change.
    var isWatched: Bool { ticket != nil }

    /// Sets the modes again if another program has changed them, and drops input from before that.
    func lookAgain() -> TerminalLook {
        guard let ticket else { return .unchanged }
        return TerminalRestorer.changeAgain(ticket) { TerminalMode.makeRaw(&$0) }
    }

    deinit {
        if let ticket { TerminalRestorer.restore(ticket) }
    }
}

/// The finding of a look at the terminal's modes.
enum TerminalLook: Hashable, Sendable {
    case unchanged
    /// Another program had changed the modes. They are set again.
    case changed
    /// The terminal may echo, and nothing can be done.
    case refused(KeypadError)
}

/// Lends the control characters, a tuple in C, as an array.
private func withCharacters(of mode: inout termios, _ body: (inout [cc_t]) -> Void) {
    // Safe: the tuple is `NCCS` bytes of our own structure, and the array is written back with the same length.
    unsafe withUnsafeMutableBytes(of: &mode.c_cc) { bytes in
        var characters = unsafe Array(bytes)
        body(&characters)
        unsafe bytes.copyBytes(from: characters)
    }
}
