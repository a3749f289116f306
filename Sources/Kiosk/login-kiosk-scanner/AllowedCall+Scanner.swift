// SPDX-License-Identifier: Apache-2.0

import Capture
import ConfinedProcess
import Glibc

extension AllowedCall {
    /// The files that the scanner may open after it is confined.
    enum Opening {
        case nothing
        /// Files and folders, for reading.
        case files
        /// Device files too, for reading and writing, and the requests to a camera.
        case cameras
    }

    /// All system calls of the scanner.
    ///
    /// - Parameter process: its own number, the only one that a call may name.
    static func all(for opening: Opening, of process: pid_t, on interface: KernelInterface) -> [AllowedCall] {
        switch opening {
        case .nothing: computing(as: process)
        case .files: computing(as: process) + reading(on: interface)
        case .cameras: computing(as: process) + reading(on: interface) + cameras(on: interface)
        }
    }

    private static func cameras(on interface: KernelInterface) -> [AllowedCall] {
        [
            AllowedCall(
                "ioctl", amd64: 16, arm64: 29, whenAnyOf: VideoRequests.all.map { [.argument(1, is: $0)] }),
            AllowedCall("openat", amd64: 257, arm64: 56, when: [.argument(2, is: VideoRequests.openingFlags)]),
            // The driver's buffers are read in place. No call makes a page writable later, so no file is written this
            // way.
            AllowedCall(
                "mmap", amd64: 9, arm64: 222,
                when: [.argument(2, is: UInt32(PROT_READ)), .argument(3, is: UInt32(MAP_SHARED))]),
            AllowedCall("readlink", amd64: 89),
            AllowedCall("readlinkat", amd64: 267, arm64: 78),
            AllowedCall("inotify_init1", amd64: 294, arm64: 26),
            // Other events of other files would reveal when a key of the keypad is pressed.
            AllowedCall(
                "inotify_add_watch", amd64: 254, arm64: 27, when: [.argument(2, is: DeviceWatch.events)]),
        ]
    }
}
