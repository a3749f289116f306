// SPDX-License-Identifier: Apache-2.0

import Glibc
public import KioskPorts
import LinuxSystem

/// The keyboard of a terminal as a keypad: no echo, key by key, read on a thread of its own.
///
/// While the presses have a consumer the terminal is raw, brackets pastes, and sends digits for a number pad.
/// Afterwards, and whenever the process ends, its old mode is restored. Another program may change the modes at any
/// time, as a boot screen does at its end. So they are checked with every key and many times a second, and set again.
/// Presses before that are lost. While the modes cannot be set, no press is reported.
public final class ConsoleKeypad: Keypad {
    /// Time between two looks at NumLock: a person may press it.
    private static let numLockDelay = Duration.seconds(1)
    /// Time between two looks at the terminal's modes: shorter than between two keys of a person.
    private static let lookDelay = Duration.milliseconds(20)

    private let input: Int32
    private let output: Int32?

    /// - Parameters:
    ///   - input: a terminal, or anything else that can be read; standard input by default. A command with a file as
    ///     standard input opens `/dev/tty`. The caller keeps it open while keys are read, and closes it.
    ///   - output: the same terminal for writing, to be asked to mark pastes; nil asks nothing.
    public init(input: Int32 = 0, output: Int32? = nil) {
        self.input = input
        self.output = output
    }

    /// Whether the process runs in the background of a shell, with `&`: the terminal's keys go to the shell.
    public static func isInBackground(_ terminal: Int32 = 0) -> Bool {
        let foreground = tcgetpgrp(terminal)
        return foreground > 0 && foreground != getpgrp()
    }

    /// Whether the kiosk keeps NumLock switched on: on a kernel console that is the process's own. Elsewhere no
    /// program can detect whether it is on.
    public static func keepsNumLock(_ terminal: Int32 = 0) -> Bool { NumLock().canBeKept(on: terminal) }

    /// Whether standard input is a kernel console that is the process's own, in front of the machine's panel.
    public static var isOnMachinesConsole: Bool { keepsNumLock() }

    public var keyNames: KeyNames { .terminal(needsNumLock: isatty(input) == 1 && !ConsoleKeypad.keepsNumLock(input)) }

    public func reports() -> AsyncStream<KeypadReport> {
        let (stream, sink) = AsyncStream.makeStream(of: KeypadReport.self, bufferingPolicy: .bufferingOldest(64))
        do {
            let stop = try Waker()
            sink.onTermination = { _ in stop.raise() }
            let input = try DescriptorCopy(of: input)
            let output = try output.map { number throws(KeypadError) in try DescriptorCopy(of: number) }
            try SystemThread.detach {
                do throws(KeypadError) {
                    try ConsoleKeypad.read(input.number, output?.number, until: stop) { sink.yield($0) }
                } catch {
                    sink.yield(.unavailable("\(error)"))
                }
                sink.finish()
            }
        } catch {
            sink.yield(.unavailable("\(error)"))
            sink.finish()
        }
        return stream
    }

    /// Reads until the input ends or `stop` is raised. The terminal is restored before this returns.
    private static func read(
        _ input: Int32, _ output: Int32?, until stop: Waker, _ tell: (KeypadReport) -> Void
    ) throws(KeypadError) {
        let mode = try TerminalMode(raw: input, output: output, unless: stop)
        let numLock = NumLock()
        let hasNumLock = numLock.isConsole(input)
        if hasNumLock, !numLock.canBeKept(on: input) {
            tell(.trouble("the console does not let NumLock be switched on: a number pad works while NumLock is on"))
        }
        var decoder = KeyDecoder()
        var watch = ModeWatch()
        while true {
            let look = mode.isWatched ? lookDelay : hasNumLock ? numLockDelay : nil
            let event = stop.wait(orInput: input, within: decoder.patience.map { .milliseconds($0) } ?? look)
            if event == .raised { break }
            let finding = mode.lookAgain()
            for report in watch.evaluate(finding) { tell(report) }
            guard let presses = try presses(at: input, event, finding, by: &decoder, until: stop) else { break }
            if watch.isCalm { for press in presses { tell(.pressed(press)) } }
            if hasNumLock { numLock.switchOn(input) }
        }
        _ = consume mode
    }

    /// The presses of one event, if the terminal's modes were as they should be.
    ///
    /// - Returns: nil at the end of the input.
    private static func presses(
        at input: Int32, _ event: Waker.Event, _ look: TerminalLook, by decoder: inout KeyDecoder, until stop: Waker
    ) throws(KeypadError) -> [KeyPress]? {
        switch (look, event) {
        case (.changed, _):
            decoder = KeyDecoder()
            // The echo of a digit may stand on the screen, which is painted whole after this signal.
            kill(getpid(), SIGWINCH)
            return []
        // Reading would stop the process.
        case (.refused(.background), _):
            decoder = KeyDecoder()
            stop.wait(within: lookDelay)
            return []
        case (_, .input):
            if let chunk = InputChunk(reading: input) { return chunk.decode(by: &decoder) }
            if isInBackground(input) { throw .background }
            return nil
        case (_, .nothing) where decoder.patience != nil: return decoder.timedOut()
        default: return []
        }
    }
}

/// The process's own duplicate of a descriptor: the caller may close its own at any time, and its number may then mean
/// another file.
final class DescriptorCopy: Sendable {
    let number: Int32

    init(of original: Int32) throws(KeypadError) {
        number = fcntl(original, F_DUPFD_CLOEXEC, 0)
        guard number >= 0 else { throw .terminal(errno: errno) }
    }

    deinit { close(number) }
}
