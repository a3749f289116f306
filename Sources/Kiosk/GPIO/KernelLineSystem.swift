// SPDX-License-Identifier: Apache-2.0

import CGPIO
import Glibc
import LinuxSystem

/// The kernel's own system calls.
struct KernelLineSystem: LineSystem {
    func chips() -> [String] {
        // A Raspberry Pi 5 has a link from an old number to a new one; they are one chip.
        let names = try? DirectoryEntries.names(in: "/dev") { name, isLink in !isLink && name.hasPrefix("gpiochip") }
        return (names ?? []).compactMap { Int($0.dropFirst(8)) }.sorted().map { "/dev/gpiochip\($0)" }
    }

    func open(_ path: String) throws(SystemFailure) -> Int32 {
        // Safe: the text is lent for the call.
        let number = unsafe Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { throw SystemFailure(errno) }
        return number
    }

    func close(_ number: Int32) { Glibc.close(number) }

    func control<Argument>(_ number: Int32, _ request: UInt, _ argument: inout Argument) throws(SystemFailure) {
        // Safe: the request's number holds the size of its structure, and the callers pair them.
        let status = unsafe withUnsafeMutablePointer(to: &argument) { unsafe cgpio_ioctl(number, request, $0) }
        guard status >= 0 else { throw SystemFailure(errno) }
    }

    func neverWait(_ number: Int32) { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }

    func wait(for number: Int32, within limit: Duration, orStop stop: Int32) -> WaitEvent {
        var list = [
            pollfd(fd: number, events: Int16(POLLIN), revents: 0), pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds: Double = limit / .milliseconds(1)
        // Safe: the list is ours and the count its own. An interrupted wait is a short one.
        let count = unsafe list.withUnsafeMutableBufferPointer { list in
            unsafe poll(list.baseAddress, nfds_t(list.count), Int32(milliseconds.rounded(.up)))
        }
        guard count > 0 else { return .timeout }
        if list[1].revents != 0 { return .stop }
        return list[0].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 ? .error : .input
    }

    func read<Record: BitwiseCopyable>(
        _ number: Int32, of empty: Record, atMost limit: Int
    ) throws(SystemFailure) -> [Record] {
        var records = [Record](repeating: empty, count: limit)
        // Safe: the kernel writes whole records, at most as many bytes as the array has.
        let count = unsafe records.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, $0.count) }
        guard count >= 0 || errno == EAGAIN || errno == EINTR else { throw SystemFailure(errno) }
        return Array(records.prefix(max(count, 0) / MemoryLayout<Record>.stride))
    }
}
