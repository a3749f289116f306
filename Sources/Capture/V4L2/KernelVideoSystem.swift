// SPDX-License-Identifier: Apache-2.0

import CV4L2
import Glibc

/// The kernel's own system calls.
struct KernelVideoSystem: VideoSystem {
    func open(_ path: String) throws(SystemFailure) -> Int32 {
        // Safe: the text is lent for the call.
        let number = unsafe Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { throw SystemFailure(errno) }
        return number
    }

    func close(_ number: Int32) {
        Glibc.close(number)
    }

    func control<Argument>(
        _ number: Int32, _ request: UInt, _ argument: inout Argument
    ) throws(SystemFailure) {
        // Safe: the request's number holds the size of its structure, and the callers pair them.
        let status = unsafe withUnsafeMutablePointer(to: &argument) { unsafe cv4l2_ioctl(number, request, $0) }
        guard status >= 0 else { throw SystemFailure(errno) }
    }

    @unsafe func map(_ number: Int32, length: Int, offset: Int) throws(SystemFailure) -> UnsafeRawBufferPointer {
        let memory = unsafe mmap(nil, length, PROT_READ, MAP_SHARED, number, offset)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { throw SystemFailure(errno) }
        return unsafe UnsafeRawBufferPointer(start: memory, count: length)
    }

    @unsafe func unmap(_ memory: UnsafeRawBufferPointer) {
        _ = unsafe munmap(UnsafeMutableRawPointer(mutating: memory.baseAddress), memory.count)
    }

    func wait(forCamera number: Int32, orStop stop: Int32, within limit: Duration) -> VideoEvent {
        let events = Poll.events(on: [number, stop], within: limit)
        if events[1] != 0 { return .stop }
        if events[0] & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { return .error }
        return events[0] == 0 ? .timeout : .frame
    }
}
