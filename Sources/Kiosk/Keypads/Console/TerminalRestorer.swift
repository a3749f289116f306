// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Synchronization

/// Changes the terminal's mode and restores it: on request, at `exit`, and on signals that end the process by default.
///
/// Data for the signal handler is written before the handler may read it, and never moves. It consists of one
/// allocation for the process, and one atomic word that identifies the change to restore.
enum TerminalRestorer {
    /// One change of the terminal. A late restore of an old change does not undo a newer one.
    struct Ticket: Equatable, Sendable {
        fileprivate let number: Int
    }

    /// Signals that end a process by default and may come while a terminal is raw, crashes included.
    private static let fatalSignals = [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP,
    ]

    /// The number of changes so far. Locked while the terminal is changed or restored, except by the signal handler,
    /// which must not wait: it comes last.
    private static let changes = Mutex(0)
    /// The number of the current change; 0 when there is nothing to restore.
    private static let current = Atomic<Int>(0)
    /// Whether the process is ending: a change that another thread has begun is undone.
    private static let isEnding = Atomic(false)
    private static let descriptor = Atomic<Int32>(-1)
    private static let output = Atomic<Int32>(-1)
    /// The console's previous locks; -1 for none.
    private static let locks = Atomic<Int32>(-1)
    // Safe: written under the lock while `current` is 0, and read under the lock or at the end of the process.
    private nonisolated(unsafe) static let saved: UnsafeMutablePointer<termios> = {
        let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        unsafe saved.initialize(to: termios())
        return unsafe saved
    }()
    /// Installed once, because the list of hooks of `atexit` only grows.
    private static let exitHook: Void = { atexit { TerminalRestorer.restoreAtExit() } }()

    /// Changes the settings of a terminal. A previous change is undone first.
    ///
    /// - Parameters:
    ///   - output: is asked to mark pastes until then (xterm's bracketed paste mode), and to leave a number pad's
    ///     application mode, in which another program may have left it; nil asks nothing.
    ///   - stop: if raised, nothing is changed, because another keypad may have the terminal already.
    /// - Returns: nil when nothing was changed.
    static func change(
        _ number: Int32, output outputNumber: Int32?, unless stop: Waker, _ body: (inout termios) -> Void
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
            // Safe: the call reads our own structure. It drops earlier input, which is not an answer to the question.
            guard unsafe tcsetattr(number, TCSAFLUSH, &changed) == 0 else {
                let code = errno
                restoreWhateverStands()
                throw .terminal(errno: code)
            }
            ask("\u{1B}>\u{1B}[?2004h", outputNumber)
            // A signal may have restored the terminal before it was changed.
            if isEnding.load(ordering: .acquiring) { _ = unsafe tcsetattr(number, TCSANOW, saved) }
            return Ticket(number: changes)
        }
    }

    /// Makes a standing change again if another program has undone it. The mode to restore stays the old one.
    ///
    /// Does not wait for output, which a person can hold up. Dropping the input also drops an echo that is not
    /// out yet.
    static func changeAgain(_ ticket: Ticket, _ body: (inout termios) -> Void) -> TerminalLook {
        changes.withLock { _ in
            guard current.load(ordering: .acquiring) == ticket.number else { return .unchanged }
            let number = descriptor.load(ordering: .relaxed)
            var mode = termios()
            // Safe: the call fills our own structure.
            guard unsafe tcgetattr(number, &mode) == 0 else { return .refused(.terminal(errno: errno)) }
            guard !isSame(mode, afterwards: body) else { return .unchanged }
            // A signal has just restored the terminal, and ends the process before it could be restored again.
            guard !isEnding.load(ordering: .acquiring) else { return .unchanged }
            // Changing it would stop the process.
            guard !ConsoleKeypad.isInBackground(number) else { return .refused(.background) }
            body(&mode)
            // Safe: the calls read and fill our own structure.
            guard unsafe tcsetattr(number, TCSANOW, &mode) == 0 else { return .refused(.terminal(errno: errno)) }
            tcflush(number, TCIFLUSH)
            // If a signal has restored the terminal since, restore it again: the person's shell needs its echo.
            if isEnding.load(ordering: .acquiring) { _ = unsafe tcsetattr(number, TCSANOW, saved) }
            guard unsafe tcgetattr(number, &mode) == 0, isSame(mode, afterwards: body) else {
                return .refused(.changedModes)
            }
            return .changed
        }
    }

    /// Whether `body` changes nothing of the flags and characters that matter for reading keys.
    private static func isSame(_ mode: termios, afterwards body: (inout termios) -> Void) -> Bool {
        var wanted = mode
        body(&wanted)
        // Safe: the bytes of two structures of our own, as long as each other.
        let isSameInCharacters = unsafe withUnsafeBytes(of: &wanted.c_cc) { wanted in
            var present = mode.c_cc
            return unsafe withUnsafeBytes(of: &present) { unsafe $0.elementsEqual(wanted) }
        }
        return wanted.c_lflag == mode.c_lflag && wanted.c_iflag == mode.c_iflag && isSameInCharacters
    }

    /// Restores the terminal, unless that was already done.
    static func restore(_ ticket: Ticket) {
        changes.withLock { _ in
            if current.load(ordering: .relaxed) == ticket.number { restoreWhateverStands() }
        }
    }

    /// May be called from a signal handler: `tcsetattr`, `write` and a plain `ioctl` are allowed there
    /// (signal-safety(7)).
    private static func restoreWhateverStands() {
        let standing = current.load(ordering: .acquiring)
        guard standing != 0 else { return }
        // Safe: the current change has filled the structure.
        _ = unsafe tcsetattr(descriptor.load(ordering: .relaxed), TCSANOW, saved)
        let before = locks.load(ordering: .relaxed)
        if before >= 0 { _ = KernelConsoleLocks().set(UInt8(before), descriptor.load(ordering: .relaxed)) }
        let outputNumber = output.load(ordering: .relaxed)
        // Letters may be concealed for a PIN.
        ask("\u{1B}[0m\u{1B}[?2004l", outputNumber < 0 ? nil : outputNumber)
        // Last: the process may end before, and a signal then restores the terminal again.
        _ = current.compareExchange(expected: standing, desired: 0, ordering: .acquiringAndReleasing)
    }

    /// Waits for a thread that changes or restores the terminal just now, but at most a second: a person can hold its
    /// output up.
    private static func restoreAtExit() {
        isEnding.store(true, ordering: .releasing)
        for _ in 0..<1000 {
            if changes.withLockIfAvailable({ _ in restoreWhateverStands() }) != nil { return }
            usleep(1000)
        }
        restoreWhateverStands()
    }

    private static func ask(_ text: StaticString, _ output: Int32?) {
        guard let output else { return }
        // Safe: static storage of the given length.
        _ = unsafe write(output, text.utf8Start, text.utf8CodeUnitCount)
    }

    /// Handles a signal that has its default action. A program that shuts down on it restores the terminal itself.
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
            TerminalRestorer.isEnding.store(true, ordering: .releasing)
            TerminalRestorer.restoreWhateverStands()
            raise(signal)
        }
        // Safe: the handler captures nothing and calls only what a handler may call.
        _ = unsafe sigaction(signal, &restoring, nil)
    }
}
