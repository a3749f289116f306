// SPDX-License-Identifier: Apache-2.0

import CInput
import Glibc

/// NumLock of a Linux console. Without it the 4 of a number pad is an arrow, which means BACK, and its 7 means MENU.
struct NumLock {
    private let system: any ConsoleLocks

    init(_ system: any ConsoleLocks = KernelConsoleLocks()) { self.system = system }

    func isConsole(_ terminal: Int32) -> Bool { system.locks(of: terminal) != nil }

    /// Whether the console lets this process switch NumLock on. Not if the terminal is not a kernel console (ssh,
    /// a window), or belongs to another program.
    func canBeKept(on terminal: Int32) -> Bool { system.locks(of: terminal).map { system.set($0, terminal) } ?? false }

    /// Switches NumLock on.
    ///
    /// - Returns: the previous state of the locks; nil when they cannot be set.
    @discardableResult
    func switchOn(_ terminal: Int32) -> UInt8? {
        guard let before = system.locks(of: terminal) else { return nil }
        let isOn = before & UInt8(K_NUMLOCK) != 0
        return isOn || system.set(before | UInt8(K_NUMLOCK), terminal) ? before : nil
    }
}

/// The locks of a console's keyboard, one byte in the kernel.
protocol ConsoleLocks: Sendable {
    /// - Returns: nil for a terminal without locks of its own.
    func locks(of terminal: Int32) -> UInt8?

    /// - Returns: false when this process may not.
    func set(_ locks: UInt8, _ terminal: Int32) -> Bool
}

struct KernelConsoleLocks: ConsoleLocks {
    func locks(of terminal: Int32) -> UInt8? {
        var locks: UInt8 = 0
        // Safe: the call writes one byte into our own variable.
        return unsafe cinput_ioctl(terminal, UInt(KDGKBLED), &locks) == 0 ? locks : nil
    }

    func set(_ locks: UInt8, _ terminal: Int32) -> Bool {
        cinput_ioctl_number(terminal, UInt(KDSKBLED), Int(locks)) == 0
    }
}
