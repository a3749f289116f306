// SPDX-License-Identifier: Apache-2.0

import CProcess
import Glibc

/// A program that is ended together with everything that it started, in other groups and sessions as well.
///
/// A supervisor process stands between the caller and the program. Linux makes it the parent of every orphan among its
/// descendants (`PR_SET_CHILD_SUBREAPER`, prctl(2)), so that no `setsid` and no second fork escapes it. The supervisor
/// is this executable, started again with ``arguments(_:_:)``.
///
/// It ends when the program and all that it started have ended. Its exit status is the program's, or 128 and the
/// signal that ended the program. SIGTERM, or the end of the caller, ends the program: its group has half a second
/// after SIGTERM, then everything is killed. If the program had not ended by itself before, the supervisor dies by
/// SIGKILL and has no exit status.
public enum SupervisedProgram {
    private static let command = "supervise"
    /// Nanoseconds between two checks that the caller is still there.
    private static let interval = 100_000_000
    private static let grace = Duration.milliseconds(500)

    /// Arguments for this executable.
    ///
    /// - Parameter program: its path.
    public static func arguments(_ program: String, _ arguments: [String]) -> [String] {
        [command, "\(getpid())", program] + arguments
    }

    /// Becomes the supervisor if the arguments say so, and never returns then. Call it in the first statement, on the
    /// main thread, while there is no other.
    public static func takeOver() {
        let words = CommandLine.arguments
        guard words.count > 3, words[1] == command, let caller = pid_t(words[2]) else { return }
        guard cprocess_adopt_orphans() == 0 else {
            complain("\(words[3]) cannot be supervised: \(systemErrorText())")
            exit(EX_OSERR)
        }
        var signals = sigset_t()
        var usual = sigset_t()
        // Safe: the sets are our own.
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGCHLD)
        unsafe sigaddset(&signals, SIGTERM)
        unsafe sigprocmask(SIG_BLOCK, &signals, &usual)
        guard var program = Program(blocking: usual) else {
            complain("\(words[3]) cannot be started: \(systemErrorText())")
            exit(EX_UNAVAILABLE)
        }
        while getppid() == caller, wait(for: signals) != SIGTERM {
            guard program.reap() else { break }
        }
        program.end(signals)
        if let status = program.status { exit(status) }
        kill(getpid(), SIGKILL)
    }

    /// - Returns: the signal that came within the interval, or -1.
    private static func wait(for signals: sigset_t) -> Int32 {
        var signals = signals
        var pause = timespec(tv_sec: 0, tv_nsec: interval)
        // Safe: the structures are read during the call.
        return unsafe sigtimedwait(&signals, nil, &pause)
    }

    private static func complain(_ text: String) { StandardStream.error.write("supervise: \(text)\n") }
}

extension SupervisedProgram {
    /// The program from the supervisor's side.
    private struct Program {
        private let process: pid_t
        /// Nil until it has ended.
        private(set) var status: Int32?

        /// Starts the program of this process's arguments, in a group of its own.
        ///
        /// - Parameter signals: blocked in the program.
        /// - Returns: nil when it cannot be started; `errno` says why.
        init?(blocking signals: sigset_t) {
            var attributes = posix_spawnattr_t()
            var signals = signals
            var process: pid_t = 0
            // Safe: the structures are our own; the words end with nil and live as long as this process.
            unsafe posix_spawnattr_init(&attributes)
            unsafe posix_spawnattr_setsigmask(&attributes, &signals)
            unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
            let words = unsafe CommandLine.unsafeArgv + 3
            guard let path = unsafe words[0] else { return nil }
            let code = unsafe posix_spawn(&process, path, nil, &attributes, words, cprocess_environment())
            guard code == 0 else {
                errno = code
                return nil
            }
            self.process = process
        }

        /// Notes every child that has ended.
        ///
        /// - Returns: false when there is no child any more.
        mutating func reap() -> Bool {
            var ended: pid_t
            repeat { ended = takeNote(WNOHANG) } while ended > 0
            return ended == 0
        }

        /// Ends everything that still runs, also processes started meanwhile.
        mutating func end(_ signals: sigset_t) {
            guard reap() else { return }
            let wasEnded = status
            kill(-process, SIGTERM)
            let killTime = ContinuousClock.now + grace
            while reap(), ContinuousClock.now < killTime { _ = SupervisedProgram.wait(for: signals) }
            // When a process dies, its children become this one's before its death is reported here.
            repeat {
                for child in ChildProcesses.all() { kill(child, SIGKILL) }
            } while takeNote(0) > 0
            status = wasEnded
        }

        /// - Returns: the process that ended; 0 for none yet, -1 when there is no child any more.
        private mutating func takeNote(_ options: Int32) -> pid_t {
            var raw: Int32 = 0
            // Safe: the call writes our own number.
            let ended = unsafe waitpid(-1, &raw, options)
            if ended == process { status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F) }
            return ended
        }
    }
}
