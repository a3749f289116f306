// SPDX-License-Identifier: Apache-2.0

import CGPIO
import Glibc

/// The kernel's own system calls.
struct KernelLineSystem: LineSystem {
    /// The greatest number of device files to look at.
    private static let maximumCount = 4096

    func chips() -> [String] {
        guard let directory = unsafe opendir("/dev") else { return [] }
        // Safe: this function owns the directory until here.
        defer { unsafe closedir(directory) }
        var numbers: [Int] = []
        var seen = 0
        // Safe: an entry is valid until the next readdir on the same directory; its name is copied before.
        while seen < KernelLineSystem.maximumCount, let entry = unsafe readdir(directory) {
            seen += 1
            // A Raspberry Pi 5 has a link from an old number to a new one, which is no second chip.
            guard unsafe entry.pointee.d_type != UInt8(DT_LNK) else { continue }
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix("gpiochip"), let number = Int(name.dropFirst(8)) { numbers.append(number) }
        }
        return numbers.sorted().map { "/dev/gpiochip\($0)" }
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
