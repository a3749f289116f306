// SPDX-License-Identifier: Apache-2.0

import CSeccomp
import Glibc
import LinuxSystem

/// Drops rights before the process opens anything, while it has a single thread. Later threads inherit the confinement,
/// and none of it can be undone.
public enum Confinement {
    /// - Returns: whether files are confined too, which not every kernel can do.
    public static func apply(_ calls: [AllowedCall], _ rules: [FileRule]) throws(ConfinementError) -> Bool {
        // The runtime may be configured to print a backtrace at a fatal signal by starting another program. The filter
        // below refuses that, so the signals get their default action: end the process.
        for fatal in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] { signal(fatal, SIG_DFL) }
        guard cseccomp_no_new_privileges() == 0 else { throw ConfinementError("no_new_privs", errno) }
        // A crash must write no picture, with perhaps a code in it, to a disk, and no program of the same user may
        // read one.
        guard ProcessMemory.keepPrivate() else { throw ConfinementError("memory of its own", errno) }
        // The process writes no plain file.
        try limit(RLIMIT_FSIZE, to: 0)
        // More than the largest frame needs (8192 x 8192 several times), and little enough to be harmless to the
        // machine.
        try limit(RLIMIT_AS, to: 1 << 30)
        try limit(RLIMIT_NOFILE, to: 64)
        // Processor time has no such limit: it is summed over the whole life, so the limit would some day end a healthy
        // process. ``ProcessorLimit`` bounds one picture.
        guard cseccomp_single_arena() == 1 else { throw ConfinementError("single arena", EINVAL) }
        let confinesFiles = try FileFilter.install(rules)
        // The last step, because it forbids the calls of the others.
        try SystemCallFilter.install(calls)
        return confinesFiles
    }

    private static func limit(_ resource: __rlimit_resource, to value: rlim_t) throws(ConfinementError) {
        var limit = rlimit(rlim_cur: value, rlim_max: value)
        // Safe: the structure is read during the call.
        guard unsafe setrlimit(Int32(resource.rawValue), &limit) == 0 else {
            throw ConfinementError("resource limit \(resource.rawValue)", errno)
        }
    }
}

/// A restriction that the kernel refused. The process does not run without it.
public struct ConfinementError: Error, CustomStringConvertible {
    public let restriction: String
    public let code: Int32

    init(_ restriction: String, _ code: Int32) {
        self.restriction = restriction
        self.code = code
    }

    public var description: String {
        "cannot confine itself (\(restriction): \(systemErrorText(code))); "
            + "a Linux kernel with CONFIG_SECCOMP_FILTER is needed"
    }
}
