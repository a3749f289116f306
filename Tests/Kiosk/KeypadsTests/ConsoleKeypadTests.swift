// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskPorts
import KioskTestKit
import LinuxSystem
import Patience
import Synchronization
import Testing
@testable import Keypads

/// One terminal at a time, because its restoration is global to the process.
@Suite("The console as a keypad, on a pseudo-terminal", .serialized, .timeLimit(.minutes(10)))
struct ConsoleKeypadTests {
    private let terminal: PseudoTerminal

    init() throws { terminal = try #require(PseudoTerminal()) }

    @Test func keysComeWithoutEchoAndTheTerminalIsRestored() async throws {
        #expect(terminal.isCooked)
        do {
            var presses = ConsoleKeypad(input: terminal.device).presses().makeAsyncIterator()
            try await Patience.until { !terminal.isCooked }
            for (text, key) in [("2", Key.digit(2)), ("\u{1B}", .back), ("\r", .enter), ("a", .character("a"))] {
                terminal.type(text)
                #expect(await presses.next() == KeyPress(key))
            }
            #expect(terminal.read(within: 0) == [])
        }
        // The consumer has left.
        try await Patience.until { terminal.isCooked }
    }

    /// A real terminal of the kernel.
    @Test func theContractOfThePort() async throws {
        let texts: [Key: String] = [.digit(2): "2", .digit(5): "5", .digit(0): "0", .back: "\u{7F}", .enter: "\r"]
        let keys: [Key] = [.digit(2), .digit(5), .digit(5), .digit(0), .back, .enter]
        try await KeypadContract(keys: keys, announces: false) {
            // The previous consumer has released it.
            try await Patience.until { terminal.isCooked }
            return KeypadContract.Subject(ConsoleKeypad(input: terminal.device)) { key in
                try await Patience.until { !terminal.isCooked }
                terminal.type(texts[key] ?? "?")
            }
        }.check()
        try await Patience.until { terminal.isCooked }
    }

    @Test func cancellingTheConsumerRestoresTheTerminal() async throws {
        let consumer = Task {
            for await _ in ConsoleKeypad(input: terminal.device).presses() {}
        }
        try await Patience.until { !terminal.isCooked }
        consumer.cancel()
        await consumer.value
        try await Patience.until { terminal.isCooked }
    }

    @Test func whatWasTypedBeforeTheQuestionDoesNotCount() async throws {
        terminal.type("9999\n")
        #expect(terminal.hasInput(within: 10_000))
        var presses = ConsoleKeypad(input: terminal.device).presses().makeAsyncIterator()
        try await Patience.until { !terminal.isCooked }
        terminal.type("1")
        #expect(await presses.next() == KeyPress(.digit(1)))
    }

    @Test func aPasteIsABurst() async throws {
        var presses = ConsoleKeypad(input: terminal.device).presses().makeAsyncIterator()
        try await Patience.until { !terminal.isCooked }
        terminal.type("2580\r")
        for key in [Key.digit(2), .digit(5), .digit(8), .digit(0), .enter] {
            #expect(await presses.next() == KeyPress(key, isBurst: true))
        }
    }

    private func expectLoss(in reports: inout AsyncStream<KeypadReport>.Iterator) async {
        guard case .trouble = await reports.next(), case .keysLost = await reports.next() else {
            Issue.record("no keys were lost")
            return
        }
    }

    @Test func modesThatAnotherProgramSetsBackAreSetAgain() async throws {
        var reports = ConsoleKeypad(input: terminal.device).reports().makeAsyncIterator()
        try await Patience.until { !terminal.isCooked }
        try #require(terminal.setModesBack())
        await expectLoss(in: &reports)
        #expect(!terminal.isCooked)
        _ = terminal.readAll()
        terminal.type("5")
        #expect(await reports.next() == .pressed(KeyPress(.digit(5))))
        #expect(terminal.readAll() == [])
    }

    @Test func halfALineThatTheTerminalHoldsIsNoKeyLater() throws {
        let stop = try Waker()
        let mode = try TerminalMode(raw: terminal.device, output: nil, unless: stop)
        try #require(terminal.setModesBack())
        terminal.type("7")
        // The echo comes after the terminal has the digit.
        #expect(terminal.read(within: 10_000) == Array("7".utf8))
        let look = mode.lookAgain()
        #expect(look == .changed && !terminal.isCooked && !terminal.hasInput(within: 0))
        _ = consume mode
    }

    @Test func noKeyCountsWhileAnotherProgramGoesOnChangingTheModes() async throws {
        var reports = ConsoleKeypad(input: terminal.device).reports().makeAsyncIterator()
        try await Patience.until { !terminal.isCooked }
        let other = Task {
            while !Task.isCancelled {
                _ = terminal.setModesBack()
                try? await Task.sleep(for: .milliseconds(3))
            }
        }
        await expectLoss(in: &reports)
        #expect(await reports.next() == .unavailable("\(KeypadError.changedModes)"))
        // A key between the first change and the second may come, while the modes are as they should be.
        for _ in 0..<10 {
            terminal.type("7")
            try await Task.sleep(for: .milliseconds(3))
        }
        other.cancel()
        await other.value
        #expect(await reports.next() == .available)
        terminal.type("5")
        #expect(await reports.next() == .pressed(KeyPress(.digit(5))))
    }

    /// Another program may have left the number pad in application mode.
    @Test func theTerminalIsAskedForMarkedPastesAndForDigits() async throws {
        do {
            let presses = ConsoleKeypad(input: terminal.device, output: terminal.device).presses()
            try await Patience.until { !terminal.isCooked }
            #expect(terminal.read(within: 10_000) == Array("\u{1B}>\u{1B}[?2004h".utf8))
            _ = consume presses
        }
        try await Patience.until { terminal.isCooked }
        #expect(terminal.read(within: 10_000) == Array("\u{1B}[0m\u{1B}[?2004l".utf8))
    }

    /// In a process of its own, which the signal ends.
    @Test(arguments: [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGSEGV])
    func aSignalThatEndsTheProcessRestoresTheTerminal(signal: Int32) async throws {
        let path = HandedOver(terminal.path, as: "terminal")
        let number = HandedOver(String(signal), as: "signal")
        async let typed: Void = {
            try await Patience.until { !terminal.isCooked }
            terminal.type("7")
        }()
        await #expect(processExitsWith: .signal(signal)) {
            var presses = try await RawTerminal(HandedOver.taken("terminal")).presses.makeAsyncIterator()
            // A key comes after the terminal was asked for what the end takes back.
            #expect(await presses.next() == KeyPress(.digit(7)))
            kill(getpid(), try #require(Int32(HandedOver.taken("signal"))))
            while await presses.next() != nil {}
        }
        _ = consume path
        _ = consume number
        try await typed
        #expect(terminal.isCooked)
        #expect(terminal.readAll() == Array("\u{1B}>\u{1B}[?2004h\u{1B}[0m\u{1B}[?2004l".utf8))
    }

    @Test func theEndOfTheProcessRestoresTheTerminal() async throws {
        let handed = HandedOver(terminal.path, as: "terminal")
        await #expect(processExitsWith: .exitCode(3)) {
            let terminal = try await RawTerminal(HandedOver.taken("terminal"))
            withExtendedLifetime(terminal) { exit(3) }
        }
        _ = consume handed
        #expect(terminal.isCooked)
    }

    /// A command that asks for a PIN while its standard input is a file.
    @Test func theControllingTerminalIsAKeypadToo() async throws {
        let handed = HandedOver(terminal.path, as: "terminal")
        async let typed: Void = {
            try await Patience.until { !terminal.isCooked }
            terminal.type("7")
        }()
        await #expect(processExitsWith: .success) {
            // The first terminal that a session's leader opens becomes the session's.
            try #require(setsid() > 0)
            let device = unsafe open(HandedOver.taken("terminal"), O_RDWR)
            let own = unsafe open("/dev/tty", O_RDWR)
            try #require(device >= 0 && own >= 0)
            var presses = ConsoleKeypad(input: own, output: own).presses().makeAsyncIterator()
            #expect(await presses.next() == KeyPress(.digit(7)))
        }
        _ = consume handed
        try await typed
        #expect(terminal.isCooked)
        #expect(!terminal.readAll().contains(UInt8(ascii: "7")))
    }

    /// As with `login-kiosk run &`: the terminal stays in the shell's mode.
    @Test func inTheBackgroundOfAShellNoKeysCome() async throws {
        let handed = HandedOver(terminal.path, as: "terminal")
        await #expect(processExitsWith: .success) {
            try #require(setsid() > 0)
            let device = unsafe open(HandedOver.taken("terminal"), O_RDWR)
            try #require(device >= 0)
            #expect(!ConsoleKeypad.isInBackground(device))
            let shell = try ForegroundProcess(of: device)
            #expect(ConsoleKeypad.isInBackground(device))
            let reports = await ConsoleKeypad(input: device, output: device).reports().reduce(into: []) {
                $0.append($1)
            }
            #expect(reports == [.unavailable("\(KeypadError.background)")])
            withExtendedLifetime(shell) {}
        }
        _ = consume handed
        #expect(terminal.isCooked)
    }

    /// The thread of an earlier question may end after the next has begun.
    @Test func anEarlierQuestionThatEndsLateDoesNotBringTheEchoBack() throws {
        let stop = try Waker()
        let early = try TerminalMode(raw: terminal.device, output: nil, unless: stop)
        let late = try TerminalMode(raw: terminal.device, output: nil, unless: stop)
        _ = consume early
        #expect(!terminal.isCooked)
        _ = consume late
        #expect(terminal.isCooked)
    }

    @Test func aQuestionThatIsOverBeforeItBeginsLeavesTheTerminalAlone() throws {
        let (stop, stopped) = (try Waker(), try Waker())
        stopped.raise()
        let mode = try TerminalMode(raw: terminal.device, output: nil, unless: stop)
        let other = try TerminalMode(raw: terminal.device, output: nil, unless: stopped)
        _ = consume other
        #expect(!terminal.isCooked)
        _ = consume mode
        #expect(terminal.isCooked)
    }

    /// The descriptor's number may soon belong to another file, from which nothing may be read.
    @Test func theCallerMayCloseHisDescriptorAnyTime() async throws {
        let own = unsafe open(terminal.path, O_RDWR | O_NOCTTY)
        try #require(own >= 0)
        var presses = ConsoleKeypad(input: own, output: own).presses().makeAsyncIterator()
        close(own)
        try await Patience.until { !terminal.isCooked }
        terminal.type("3")
        #expect(await presses.next() == KeyPress(.digit(3)))
    }

    @Test func aClosedDescriptorIsNamed() async {
        let reports = await ConsoleKeypad(input: -1).reports().reduce(into: []) { $0.append($1) }
        #expect(reports == [.unavailable("\(KeypadError.terminal(errno: EBADF))")])
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
