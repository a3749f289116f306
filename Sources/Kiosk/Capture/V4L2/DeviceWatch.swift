// SPDX-License-Identifier: Apache-2.0

import CV4L2
import Glibc
import LinuxSystem

/// Reports when a device file appears or changes, so that a camera that returns is opened at once. It does not use
/// udev's messages, because the scanner's process may not open sockets.
public struct DeviceWatch: ~Copyable {
    /// The events that inotify is asked for. Attributes change when udev gives the file to its group.
    public static let events = UInt32(IN_CREATE | IN_ATTRIB | IN_MOVED_TO)

    // Nil without inotify: then the camera is found by looking now and then.
    private let number: Int32?

    init(folder: String = "/dev") {
        let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard number >= 0 else {
            self.number = nil
            return
        }
        self.number = number
        // Safe: the text is lent for the call.
        _ = unsafe inotify_add_watch(number, folder, DeviceWatch.events)
    }

    deinit {
        if let number { close(number) }
    }

    /// Waits for a change, an order, or the end of the limit.
    func wait(orOrder order: Int32, within limit: Duration) {
        guard let number else {
            _ = Poll.events(on: [order], within: limit)
            return
        }
        _ = Poll.events(on: [number, order], within: limit)
        var bytes = [UInt8](repeating: 0, count: 4096)
        // Safe: the count is the buffer's own. The bytes are ignored: the caller looks at the devices itself.
        while unsafe bytes.withUnsafeMutableBytes({ unsafe read(number, $0.baseAddress, $0.count) }) > 0 {}
    }
}
