// SPDX-License-Identifier: Apache-2.0

import CProcess
import Glibc

/// Which processes may look at the memory of this one, and what of it reaches a disk.
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
}
