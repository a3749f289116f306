// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Synchronization
import Testing
@testable import Keypads

/// Without NumLock the 4 of a pad would leave the PIN screen.
@Suite("NumLock of a console")
struct NumLockTests {
    /// A fake console with the locks of its keyboard.
    private final class Console: ConsoleLocks {
        private let state: Mutex<UInt8?>
        private let isOurs: Bool

        init(_ locks: UInt8?, isOurs: Bool = true) {
            state = Mutex(locks)
            self.isOurs = isOurs
        }

        var locks: UInt8? { state.withLock { $0 } }
        func locks(of terminal: Int32) -> UInt8? { locks }

        func set(_ locks: UInt8, _ terminal: Int32) -> Bool {
            guard isOurs else { return false }
            state.withLock { $0 = locks }
            return true
        }
    }

    /// CapsLock is 4, and the upper half are the console's defaults.
    @Test(arguments: [(0x00, 0x02), (0x02, 0x02), (0x24, 0x26)] as [(UInt8, UInt8)])
    func isSwitchedOnAlone(before: UInt8, after: UInt8) {
        let console = Console(before)
        #expect(NumLock(console).canBeKept(on: 0))
        #expect(console.locks == before)
        #expect(NumLock(console).switchOn(0) == before)
        #expect(console.locks == after)
    }

    @Test func theConsoleOfAnotherProgramIsLeftAlone() {
        let console = Console(0, isOurs: false)
        #expect(NumLock(console).isConsole(0) && !NumLock(console).canBeKept(on: 0))
        #expect(NumLock(console).switchOn(0) == nil)
        #expect(console.locks == 0)
    }

    @Test func aTerminalOfSoftwareHasNone() throws {
        let terminal = try #require(PseudoTerminal())
        #expect(!NumLock().isConsole(terminal.device) && !ConsoleKeypad.keepsNumLock(terminal.device))
        #expect(NumLock().switchOn(terminal.device) == nil)
    }
}
