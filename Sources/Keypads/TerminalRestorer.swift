// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Puts the terminal back when the process goes: at `exit`, and on signals whose default is to end it.
///
/// What a signal handler reads is written before the handler is installed and never moves: one allocation for the
/// process, and one atomic word that says whether there is something to restore.
enum TerminalRestorer {
    /// Signals that end a process by default and may come while a terminal is raw, crashes included.
    static let fatalSignals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP]

    private static let isArmed = Atomic<Bool>(false)
    private static let descriptor = Atomic<Int32>(-1)
    private static let output = Atomic<Int32>(-1)
    // Safe: written while `isArmed` is false only, and read while it is true only.
    private nonisolated(unsafe) static let saved: UnsafeMutablePointer<termios> = {
        let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        unsafe saved.initialize(to: termios())
        return unsafe saved
    }()
    /// Installed once; the list of hooks of `atexit` only grows.
    private static let exitHook: Void = { atexit { TerminalRestorer.restore() } }()

    static func remember(
        _ number: Int32, _ mode: termios, output outputNumber: Int32?, signals: [Int32] = TerminalRestorer.fatalSignals
    ) {
        restore()
        unsafe saved.pointee = mode
        descriptor.store(number, ordering: .relaxed)
        output.store(outputNumber ?? -1, ordering: .relaxed)
        isArmed.store(true, ordering: .releasing)
        _ = exitHook
        for signal in signals { handle(signal) }
    }

    /// Puts the terminal back, once. May be called from a signal handler: `tcsetattr` is allowed there (signal-safety(7)).
    static func restore() {
        guard isArmed.exchange(false, ordering: .acquiringAndReleasing) else { return }
        // Safe: armed means that the structure is complete.
        _ = unsafe tcsetattr(descriptor.load(ordering: .relaxed), TCSANOW, saved)
        let outputNumber = output.load(ordering: .relaxed)
        markPastes(false, on: outputNumber < 0 ? nil : outputNumber)
    }

    /// Bracketed paste mode of xterm and its kin.
    static func markPastes(_ isOn: Bool, on output: Int32?) {
        guard let output else { return }
        let text: StaticString = isOn ? "\u{1B}[?2004h" : "\u{1B}[?2004l"
        // Safe: static storage of the given length; `write` is allowed in a signal handler.
        _ = unsafe write(output, text.utf8Start, text.utf8CodeUnitCount)
    }

    /// Only where nobody else handles the signal: a program that shuts down on it restores the terminal by itself.
    private static func handle(_ signal: Int32) {
        var present = sigaction()
        // Safe: the call fills our own structure.
        guard unsafe sigaction(signal, nil, &present) == 0,
            unsafe unsafeBitCast(present.__sigaction_handler.sa_handler, to: Int.self) == 0
        else { return }
        var restoring = sigaction()
        // The signal's default action follows as soon as the handler returns.
        restoring.sa_flags = CInt(bitPattern: UInt32(SA_RESETHAND))
        unsafe restoring.__sigaction_handler.sa_handler = { signal in
            TerminalRestorer.restore()
            raise(signal)
        }
        // Safe: the handler captures nothing and calls only what a handler may call.
        _ = unsafe sigaction(signal, &restoring, nil)
    }
}
