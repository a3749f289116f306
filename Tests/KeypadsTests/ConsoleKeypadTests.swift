// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskCore
import KioskTestKit
import Testing

@testable import Keypads

/// One terminal at a time: what restores it belongs to the process.
@Suite("The console as a keypad, on a terminal made of software", .serialized, .timeLimit(.minutes(1)))
struct ConsoleKeypadTests {
    /// Waits for something that another thread does. The time limit of the suite ends a wait in vain.
    static func until(_ condition: () -> Bool) async throws {
        while !condition() {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    @Test func keysComeWithoutEchoAndTheTerminalIsRestored() async throws {
        let terminal = try #require(PseudoTerminal())
        #expect(terminal.isCooked)
        do {
            var presses = ConsoleKeypad(input: terminal.device).presses().makeAsyncIterator()
            try await Self.until { !terminal.isCooked }
            for (text, key) in [("2", Key.digit(2)), ("\u{1B}", .back), ("\r", .enter), ("a", .character("a"))] {
                terminal.type(text)
                #expect(await presses.next() == KeyPress(key))
            }
            #expect(terminal.read(within: 0) == [])
        }
        // The consumer is gone.
        try await Self.until { terminal.isCooked }
    }

    @Test func cancellingTheConsumerRestoresTheTerminal() async throws {
        let terminal = try #require(PseudoTerminal())
        let consumer = Task {
            for await _ in ConsoleKeypad(input: terminal.device).presses() {}
        }
        try await Self.until { !terminal.isCooked }
        consumer.cancel()
        await consumer.value
        try await Self.until { terminal.isCooked }
    }

    @Test func whatWasTypedBeforeTheQuestionDoesNotCount() async throws {
        let terminal = try #require(PseudoTerminal())
        terminal.type("9999\n")
        var presses = ConsoleKeypad(input: terminal.device).presses().makeAsyncIterator()
        try await Self.until { !terminal.isCooked }
        terminal.type("1")
        #expect(await presses.next() == KeyPress(.digit(1)))
    }

    @Test func aPasteIsABurst() async throws {
        let terminal = try #require(PseudoTerminal())
        var presses = ConsoleKeypad(input: terminal.device).presses().makeAsyncIterator()
        try await Self.until { !terminal.isCooked }
        terminal.type("2580\r")
        for key in [Key.digit(2), .digit(5), .digit(8), .digit(0), .enter] {
            #expect(await presses.next() == KeyPress(key, isBurst: true))
        }
    }

    @Test func pastesAreAskedToBeMarked() async throws {
        let terminal = try #require(PseudoTerminal())
        do {
            let presses = ConsoleKeypad(input: terminal.device, output: terminal.device).presses()
            try await Self.until { !terminal.isCooked }
            #expect(terminal.read(within: 10_000) == Array("\u{1B}[?2004h".utf8))
            _ = consume presses
        }
        try await Self.until { terminal.isCooked }
        #expect(terminal.read(within: 10_000) == Array("\u{1B}[?2004l".utf8))
    }

    /// By a signal whose default is to do nothing, so that the process that tests lives on.
    @Test func aSignalRestoresTheTerminal() async throws {
        let terminal = try #require(PseudoTerminal())
        var before = termios()
        #expect(unsafe tcgetattr(terminal.device, &before) == 0)
        TerminalRestorer.remember(terminal.device, before, output: nil, signals: [SIGURG])
        var raw = before
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON)
        #expect(unsafe tcsetattr(terminal.device, TCSANOW, &raw) == 0)
        #expect(!terminal.isCooked)
        raise(SIGURG)
        #expect(terminal.isCooked)
    }

    @Test func aPipeIsReadToItsEnd() async throws {
        var ends: [Int32] = [-1, -1]
        #expect(unsafe ends.withUnsafeMutableBufferPointer { unsafe pipe($0.baseAddress) } == 0)
        let text = Array("1".utf8)
        #expect(unsafe text.withUnsafeBytes { unsafe write(ends[1], $0.baseAddress, $0.count) } == 1)
        close(ends[1])
        var presses: [KeyPress] = []
        for await press in ConsoleKeypad(input: ends[0]).presses() { presses.append(press) }
        #expect(presses == [KeyPress(.digit(1))])
        close(ends[0])
    }
}
