// SPDX-License-Identifier: Apache-2.0

import CV4L2
import Glibc
import LinuxSystem

/// The kernel's own system calls.
struct KernelVideoSystem: VideoSystem {
    func open(_ path: String) throws(SystemFailure) -> Int32 {
        // Safe: the text is lent for the call.
        let number = unsafe Glibc.open(path, Int32(VideoRequests.openingFlags))
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

    @unsafe func detach(_ memory: UnsafeRawBufferPointer) throws(SystemFailure) {
        let count = memory.count
        let copy = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let copy = unsafe copy, unsafe copy != MAP_FAILED else { throw SystemFailure(errno) }
        unsafe UnsafeMutableRawBufferPointer(start: copy, count: count).copyMemory(from: memory)
        // One step for the consumer that reads: either the old pages are there or the new ones.
        guard unsafe cv4l2_move_mapping(copy, UInt(count), memory.baseAddress) != MAP_FAILED else {
            let code = errno
            unsafe munmap(copy, count)
            throw SystemFailure(code)
        }
    }

    @unsafe func unmap(_ memory: UnsafeRawBufferPointer) {
        _ = unsafe munmap(UnsafeMutableRawPointer(mutating: memory.baseAddress), memory.count)
    }

    func wait(forCamera number: Int32, orOrder order: Int32, within limit: Duration) -> VideoEvent {
        let events = Poll.events(on: [number, order], within: limit)
        if events[1] != 0 { return .order }
        if events[0] & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { return .error }
        return events[0] == 0 ? .timeout : .frame
    }
}
