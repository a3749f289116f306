// SPDX-License-Identifier: Apache-2.0

import CDRM
import ConfinedProcess
import Glibc

extension AllowedCall {
    /// All system calls of the display's process.
    ///
    /// - Parameter process: its own number, the only one that a call may name.
    static func ofDisplay(as process: pid_t, on interface: KernelInterface) -> [AllowedCall] {
        computing(as: process) + reading(on: interface) + fonts + cards
    }

    /// The library of fonts looks for its files, maps them, and looks fonts up in threads of its own.
    private static var fonts: [AllowedCall] {
        [
            AllowedCall("access", amd64: 21),
            AllowedCall("faccessat", amd64: 269, arm64: 48),
            AllowedCall("readlink", amd64: 89),
            AllowedCall("readlinkat", amd64: 267, arm64: 78),
            AllowedCall("statfs", amd64: 137, arm64: 43),
            AllowedCall("fstatfs", amd64: 138, arm64: 44),
            AllowedCall("uname", amd64: 63, arm64: 160),
            // The stack of a thread. Pages never become code.
            AllowedCall("mprotect", amd64: 10, arm64: 226, when: [.without(UInt32(PROT_EXEC), in: 2)]),
            // The cache of fonts.
            AllowedCall(
                "mmap", amd64: 9, arm64: 222,
                when: [.argument(2, is: UInt32(PROT_READ)), .argument(3, is: UInt32(MAP_SHARED))]),
        ]
    }

    private static var cards: [AllowedCall] {
        [
            AllowedCall("ioctl", amd64: 16, arm64: 29, whenAnyOf: DRMCard.requests.map { [.argument(1, is: $0)] }),
            AllowedCall("openat", amd64: 257, arm64: 56, when: [.argument(2, is: DRMCard.openingFlags)]),
            // The buffer that the panel shows. Landlock leaves no other file that may be written.
            AllowedCall(
                "mmap", amd64: 9, arm64: 222,
                when: [.argument(2, is: UInt32(PROT_READ | PROT_WRITE)), .argument(3, is: UInt32(MAP_SHARED))]),
        ]
    }
}

extension FileRule {
    /// Fonts and their settings, as Debian places them.
    static let fonts = [
        "/etc/fonts", "/usr/share/fontconfig", "/usr/share/fonts", "/usr/local/share/fonts", "/var/cache/fontconfig",
    ].map { FileRule(.readAndList, $0) }

    /// The rules for a device, and no more. A card may come later, so the folder of cards is open.
    static func rules(for device: DisplayDevice) -> [FileRule] {
        switch device {
        case .panel: fonts + [FileRule(.device, DRMCard.folder)]
        case .memory: fonts
        }
    }
}
