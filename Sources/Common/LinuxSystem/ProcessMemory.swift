// SPDX-License-Identifier: Apache-2.0

import CProcess
import Glibc

/// Memory of this process: its protection from other processes and from disks, and releasing unused pages.
public enum ProcessMemory {
    /// Whether this process's memory is hidden from other programs of the same user, and from core files.
    public static var isPrivate: Bool { cprocess_is_dumpable() == 0 }

    /// Keeps other programs of the same user from reading this process's memory, environment or descriptors, by
    /// ptrace(2) or proc(5), and keeps crashes from writing a core file. Root still may. A program that this one
    /// starts is readable again, but writes no core file either.
    ///
    /// - Returns: false when the kernel refuses; `errno` says why.
    public static func keepPrivate() -> Bool {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        // Safe: the structure is read during the call.
        guard unsafe setrlimit(Int32(RLIMIT_CORE.rawValue), &none) == 0 else { return false }
        return cprocess_set_dumpable(0) == 0
    }

    /// Releases the read-only pages of the program and of its libraries: code and constants. Later use reloads them
    /// from the kernel's cache of the file, as at the start.
    public static func letGoOfCode() {
        // Safe: the C library lends its list of loaded objects for the call, and unloads none meanwhile. Data that was
        // written, such as an address filled in by the loader, is in no read-only segment.
        _ = unsafe dl_iterate_phdr(
            { object, _, _ in
                guard let object = unsafe object?.pointee, let segments = unsafe object.segments else { return 0 }
                let (offset, page) = unsafe (UInt64(object.address), UInt64(getpagesize()))
                for index in unsafe 0..<Int(object.count) {
                    let segment = unsafe segments[index]
                    guard segment.p_type == PT_LOAD, segment.p_flags & UInt32(PF_W) == 0 else { continue }
                    // The next segment may share the page at the end, and then needs it.
                    let first = (offset + segment.p_vaddr) / page * page
                    let end = (offset + segment.p_vaddr + segment.p_memsz) / page * page
                    unsafe madvise(UnsafeMutableRawPointer(bitPattern: UInt(first)), Int(end - first), MADV_DONTNEED)
                }
                return 0
            }, nil)
    }
}
