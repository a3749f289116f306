// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Synchronization

/// The signals with which a person or a service manager asks a process to end: Ctrl-C, Ctrl-\, `kill`, a closed
/// terminal.
///
/// A program that ends in order cannot listen from its first statement on. A held signal is noted and delivered later.
/// (Blocking does not suffice: the main thread of a Swift program ends up in `sigsuspend` with an empty mask, in
/// `dispatch_main` of libdispatch.)
public enum StopSignals {
    /// A signal that came.
    public struct Heard: Sendable {
        public let number: Int32
        /// Whether the kernel or the leader of the process's session sent it, as when the terminal closes. A shell
        /// passes that on to its jobs.
        public let isFromSession: Bool
    }

    /// Without `SIGHUP` if the process was started to outlive its terminal (`nohup`).
    private static let numbers: [Int32] = [SIGTERM, SIGINT, SIGQUIT] + (isIgnored(SIGHUP) ? [] : [SIGHUP])
    /// The pipe that takes one byte a signal; -1 before the first `hold()`. A handler may read these, but nothing that is
    /// initialised on first use.
    private static let readEnd = Atomic<Int32>(-1)
    private static let writeEnd = Atomic<Int32>(-1)

    /// Notes the signals from now on, instead of ending the process.
    public static func hold() {
        guard readEnd.load(ordering: .relaxed) >= 0 || makePipe() else { return }
        for number in numbers {
            var action = sigaction()
            action.sa_flags = SA_RESTART | SA_SIGINFO
            unsafe action.__sigaction_handler.sa_sigaction = { number, origin, _ in
                unsafe StopSignals.note(number, origin)
            }
            // Safe: the handler captures nothing.
            _ = unsafe sigaction(number, &action, nil)
        }
    }

    private static func makePipe() -> Bool {
        var ends: [Int32] = [-1, -1]
        // Safe: the call writes two numbers into our own array.
        guard unsafe pipe(&ends) == 0 else { return false }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        readEnd.store(ends[0], ordering: .relaxed)
        writeEnd.store(ends[1], ordering: .relaxed)
        return true
    }

    /// The handler: it does nothing but what a handler may.
    private static func note(_ number: Int32, _ origin: UnsafeMutablePointer<siginfo_t>?) {
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        // Safe: the kernel lends the signal's origin for the call.
        if let origin = unsafe origin?.pointee,
            unsafe origin.si_code > 0 || (unsafe origin._sifields._kill.si_pid == getsid(0))
        {
            byte |= sessionBit
        }
        // Safe: one byte of our own, by a call that a handler may make. A full pipe holds enough signals.
        _ = unsafe write(writeEnd.load(ordering: .relaxed), &byte, 1)
        errno = before
    }

    /// Lets the signals end the process again; a noted one does so at once.
    public static func release() {
        for number in numbers { _ = signal(number, SIG_DFL) }
        if let signal = next() { _ = kill(getpid(), signal.number) }
    }

    /// The noted and the future signals; for one listener. Ends when its task is cancelled.
    public static func heard() -> AsyncStream<Heard> {
        AsyncStream { continuation in
            let source = DispatchSource.makeReadSource(fileDescriptor: readEnd.load(ordering: .relaxed))
            source.setEventHandler {
                while let signal = next() { continuation.yield(signal) }
            }
            // Safe: dispatch sources may be cancelled from any thread.
            nonisolated(unsafe) let listening = source
            continuation.onTermination = { _ in unsafe listening.cancel() }
            source.activate()
        }
    }

    /// Set in the byte of a signal that came from the session. Computed, because a handler reads it.
    private static var sessionBit: UInt8 { 0x80 }

    private static func next() -> Heard? {
        var byte: UInt8 = 0
        // Safe: one byte of our own. An empty pipe means no signal.
        guard unsafe read(readEnd.load(ordering: .relaxed), &byte, 1) == 1 else { return nil }
        return Heard(number: Int32(byte & ~sessionBit), isFromSession: byte & sessionBit != 0)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var present = sigaction()
        // Safe: the call fills our own structure; a handler's address is compared and never called.
        guard unsafe sigaction(number, nil, &present) == 0 else { return false }
        return unsafe unsafeBitCast(present.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}
