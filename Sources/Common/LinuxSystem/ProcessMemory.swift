// SPDX-License-Identifier: Apache-2.0

import CProcess
import Glibc

/// Memory of this process: which processes may look at it, what of it reaches a disk, and what of it is not needed now.
public enum ProcessMemory {
    /// Whether other programs of the same user, and a core file, may have this process's memory.
    public static var isPrivate: Bool { cprocess_is_dumpable() == 0 }

    /// Lets no other program of the same user read this process's memory, environment or descriptors, by ptrace(2) or
    /// proc(5), and no crash write a core file. Root still may. A program that this one starts is readable again, and
    /// writes no core file either.
    ///
    /// - Returns: false when the kernel refuses; `errno` says why.
    public static func keepPrivate() -> Bool {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        // Safe: the structure is read during the call.
        guard unsafe setrlimit(Int32(RLIMIT_CORE.rawValue), &none) == 0 else { return false }
        return cprocess_set_dumpable(0) == 0
    }

    /// Gives back the pages of the program and of its libraries that nothing writes: code and constants. What is used
    /// again comes back from the kernel's cache of the file, as at the start.
    public static func letGoOfCode() {
        // Safe: the C library lends its list of what is loaded for the call, in which nothing of it is unloaded. What
        // was written, such as an address that the loader filled in, is in no segment that may not be written.
        _ = unsafe dl_iterate_phdr(
            { object, _, _ in
                guard let object = unsafe object?.pointee, let segments = unsafe object.segments else { return 0 }
                let (offset, page) = unsafe (UInt64(object.address), UInt64(getpagesize()))
                for index in unsafe 0..<Int(object.count) {
                    let segment = unsafe segments[index]
                    guard segment.p_type == PT_LOAD, segment.p_flags & UInt32(PF_W) == 0 else { continue }
                    // The page at its end may be shared with the next segment, which has it then.
                    let first = (offset + segment.p_vaddr) / page * page
                    let end = (offset + segment.p_vaddr + segment.p_memsz) / page * page
                    unsafe madvise(UnsafeMutableRawPointer(bitPattern: UInt(first)), Int(end - first), MADV_DONTNEED)
                }
                return 0
            }, nil)
    }
}
