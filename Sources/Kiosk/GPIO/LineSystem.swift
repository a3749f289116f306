// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// The system calls on GPIO chips and lines, in one protocol so that a test can make any of them fail.
protocol LineSystem: Sendable {
    /// The device files of chips, such as `/dev/gpiochip0`, by their numbers; links are left out.
    func chips() -> [String]

    func open(_ path: String) throws(SystemFailure) -> Int32

    func close(_ number: Int32)

    /// `ioctl`, with the C structure that belongs to the request.
    func control<Argument>(_ number: Int32, _ request: UInt, _ argument: inout Argument) throws(SystemFailure)

    /// Makes reads return at once when there is nothing.
    func neverWait(_ number: Int32)

    /// Waits until there is something to read, the limit is over or `stop` can be read.
    func wait(for number: Int32, within limit: Duration, orStop stop: Int32) -> WaitEvent

    /// Reads the whole records so far, at most `limit`; does not wait.
    func read<Record: BitwiseCopyable>(_ number: Int32, of empty: Record, atMost limit: Int) throws(SystemFailure)
        -> [Record]
}

/// The result of a wait for a descriptor.
enum WaitEvent: Sendable { case input, error, timeout, stop }
