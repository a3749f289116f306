// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskPorts
import LinuxSystem

extension SystemFailure {
    /// The failure of calls on the lines of a removed chip.
    static let chipGone = SystemFailure(ENODEV)

    var isBusy: Bool { code == EBUSY }
}

extension LineError {
    /// Explains a chip that cannot be opened.
    init(opening path: String, _ failure: SystemFailure) {
        switch failure.code {
        case ENOENT, ENXIO, ENODEV, ENOTDIR:
            self.init(
                .notFound, at: path, problem: "there is no such GPIO chip",
                remedy: "`login-kiosk devices` lists the chips")
        case EACCES, EPERM:
            self.init(
                .notPermitted, at: path, problem: "may not be opened by this user",
                remedy: "add the user to the group that has it, gpio on a Raspberry Pi")
        default:
            self.init(
                .refused, at: path, problem: "cannot be opened (\(failure.reason))",
                remedy: "look into the kernel's log")
        }
    }

    /// Explains a failure of lines that were open.
    init(using path: String, _ failure: SystemFailure) {
        switch failure.code {
        case ENODEV, ENXIO, EBADF, EIO:
            self.init(
                .gone, at: path, problem: "the GPIO chip is gone (\(failure.reason))",
                remedy: "look into the kernel's log; it is used again when it is back")
        case EBUSY:
            self.init(
                .inUse, at: path, problem: "a line is in use", remedy: "`gpioinfo` of the package gpiod names its user")
        default:
            self.init(
                .refused, at: path, problem: "the GPIO chip refuses (\(failure.reason))",
                remedy: "take other lines, or look into the kernel's log")
        }
    }
}
