// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Changes the terminal and puts it back: when told, and when the process goes, at `exit` and on signals whose default
/// is to end it.
///
/// The data that a signal handler reads is written before the handler may look, and it never moves. It is one
/// allocation for the process, and one atomic word that says whose change there is to restore.
enum TerminalRestorer {
    /// One change of the terminal. A caller that comes late with an old one does not undo the next.
    struct Ticket: Equatable, Sendable {
        fileprivate let number: Int
    }

    /// Signals that end a process by default and may come while a terminal is raw, crashes included.
    private static let fatalSignals = [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP,
    ]

    /// How many changes there have been. Held while the terminal is changed or put back, but not by the signal handler,
    /// which must not wait: it comes last.
    private static let changes = Mutex(0)
    /// The number of the change that stands; 0 when there is nothing to restore.
    private static let current = Atomic<Int>(0)
    private static let descriptor = Atomic<Int32>(-1)
    private static let output = Atomic<Int32>(-1)
    /// The console's locks as they were; -1 for none.
    private static let locks = Atomic<Int32>(-1)
    // Safe: written while `current` is 0 only, and read only by the thread or signal handler that made it 0.
    private nonisolated(unsafe) static let saved: UnsafeMutablePointer<termios> = {
        let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        unsafe saved.initialize(to: termios())
        return unsafe saved
    }()
    /// Installed once; the list of hooks of `atexit` only grows.
    private static let exitHook: Void = { atexit { TerminalRestorer.restoreWhateverStands() } }()

    /// Changes the settings of a terminal. A change that still stands is undone first.
    ///
    /// - Parameters:
    ///   - output: is asked to mark pastes until then (xterm's bracketed paste mode), and to leave a number pad's
    ///     application mode, in which another program may have left it; nil asks nothing.
    ///   - stop: a caller that comes so late that it is raised changes nothing, for the next may have
    ///     the terminal already.
    /// - Returns: nil when nothing was changed.
    static func change(
        _ number: Int32, output outputNumber: Int32?, unless stop: StopPipe, _ body: (inout termios) -> Void
    ) throws(KeypadError) -> Ticket? {
        try changes.withLock { changes throws(KeypadError) in
            guard !stop.isRaised else { return nil }
            restoreWhateverStands()
            var before = termios()
            // Safe: the call fills our own structure.
            guard unsafe tcgetattr(number, &before) == 0 else { throw .terminal(errno: errno) }
            var changed = before
            body(&changed)
            unsafe saved.pointee = before
            descriptor.store(number, ordering: .relaxed)
            output.store(outputNumber ?? -1, ordering: .relaxed)
            locks.store(NumLock().switchOn(number).map(Int32.init) ?? -1, ordering: .relaxed)
            changes += 1
            _ = exitHook
            for signal in fatalSignals { handle(signal) }
            current.store(changes, ordering: .releasing)
            // Safe: the call reads our own structure. What was typed before the question is not an answer to it.
            guard unsafe tcsetattr(number, TCSAFLUSH, &changed) == 0 else {
                let code = errno
                restoreWhateverStands()
                throw .terminal(errno: code)
            }
            ask("\u{1B}>\u{1B}[?2004h", outputNumber)
            return Ticket(number: changes)
        }
    }

    /// Puts the terminal back, unless that has happened already.
    static func restore(_ ticket: Ticket) {
        changes.withLock { _ in
            if current.load(ordering: .relaxed) == ticket.number { restoreWhateverStands() }
        }
    }

    /// May be called from a signal handler: `tcsetattr`, `write` and a plain `ioctl` are allowed there (signal-safety(7)).
    private static func restoreWhateverStands() {
        guard current.exchange(0, ordering: .acquiringAndReleasing) != 0 else { return }
        // Safe: a change that stands has filled the structure.
        _ = unsafe tcsetattr(descriptor.load(ordering: .relaxed), TCSANOW, saved)
        let before = locks.load(ordering: .relaxed)
        if before >= 0 { _ = KernelConsoleLocks().set(UInt8(before), descriptor.load(ordering: .relaxed)) }
        let outputNumber = output.load(ordering: .relaxed)
        ask("\u{1B}[?2004l", outputNumber < 0 ? nil : outputNumber)
    }

    private static func ask(_ text: StaticString, _ output: Int32?) {
        guard let output else { return }
        // Safe: static storage of the given length.
        _ = unsafe write(output, text.utf8Start, text.utf8CodeUnitCount)
    }

    /// Only where the signal has its default action: a program that shuts down on it restores the terminal by itself.
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
            TerminalRestorer.restoreWhateverStands()
            raise(signal)
        }
        // Safe: the handler captures nothing and calls only what a handler may call.
        _ = unsafe sigaction(signal, &restoring, nil)
    }
}
