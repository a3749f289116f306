// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// The system calls on input devices, in one protocol so that a test can make any of them fail.
protocol InputSystem: Sendable {
    /// The device files, such as `/dev/input/event0`, by their numbers.
    func nodes() -> [String]

    /// Whether a link or a node leads to that node.
    func leads(_ path: String, to node: String) -> Bool

    /// The links that udev made to a node, the best first: by the port, then by the device.
    func links(to node: String) -> [String]

    /// Opens for reading, without waiting.
    func open(_ node: String) throws(SystemFailure) -> Int32

    func close(_ number: Int32)

    func identity(_ number: Int32) throws(SystemFailure) -> InputIdentity

    /// The codes of all keys that the device has.
    func knownKeys(_ number: Int32) throws(SystemFailure) -> Set<UInt16>

    func keysDown(_ number: Int32) throws(SystemFailure) -> Set<UInt16>

    /// The axes with which the device points; nil for a device that is not a touch panel.
    ///
    /// - Parameter keys: of the device.
    func touchAxes(_ number: Int32, _ keys: Set<UInt16>) throws(SystemFailure) -> TouchAxes?

    func touchSnapshot(_ number: Int32, _ axes: TouchAxes) throws(SystemFailure) -> TouchSnapshot

    /// Returns udev's record of the device; nil when there is none.
    func udevRecord(_ number: Int32) -> String?

    /// The clock of all reports.
    func now() -> Duration

    /// Keeps all other programs from reading the device, until it is closed.
    func grab(_ number: Int32) throws(SystemFailure)

    /// Reads the reports so far, perhaps none. Never waits.
    func read(_ number: Int32) throws(SystemFailure) -> [InputEvent]

    /// Starts to watch for new devices; nil when the system cannot.
    func watch() -> Int32?

    /// Discards the watch's reports.
    func drain(_ watch: Int32)

    /// Waits until any of them can be read, or the limit is over.
    ///
    /// - Returns: those that can be read.
    func wait(for numbers: [Int32], within limit: Duration?) -> Set<Int32>
}

extension SystemFailure {
    var isForbidden: Bool { code == EACCES || code == EPERM }
    var isBusy: Bool { code == EBUSY }
}
