// SPDX-License-Identifier: Apache-2.0

import Capture
import CSeccomp
import Glibc
import LinuxSystem

/// The rights that the process gives up before it opens its source, while it has a single thread. Later threads inherit
/// the confinement, and none of it can be taken back.
enum Confinement {
    /// - Returns: whether files are confined, too, which not every kernel can do.
    static func apply(
        opening: AllowedCall.Opening, _ rules: [FileRule]
    ) throws(ConfinementError) -> Bool {
        // The runtime may have been told to print a backtrace when a fatal signal comes, by starting another program.
        // That is refused below, so let the signals do what they always did: end the process.
        for fatal in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] { signal(fatal, SIG_DFL) }
        guard cseccomp_no_new_privileges() == 0 else { throw ConfinementError("no_new_privs", errno) }
        // No picture, and no code in it, is written to a disk by a crash or read by a program of the same user.
        guard ProcessMemory.keepPrivate() else { throw ConfinementError("memory of its own", errno) }
        // No plain file is written to.
        try limit(RLIMIT_FSIZE, to: 0)
        // Above what the largest frame needs (8192 x 8192 several times), below what harms the machine.
        try limit(RLIMIT_AS, to: 1 << 30)
        try limit(RLIMIT_NOFILE, to: 64)
        // There is no limit on processor time: it counts over the whole life, so that it would end a healthy scanner
        // some day. A scanner that hangs misses its statistics, and the parent ends it.
        guard cseccomp_single_arena() == 1 else { throw ConfinementError("single arena", EINVAL) }
        let confinesFiles = try FileFilter.install(rules)
        // The last one: it refuses all that was needed for the others.
        try SystemCallFilter.install(opening)
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

/// A restriction that the kernel did not accept. The process does not run without it.
struct ConfinementError: Error, CustomStringConvertible {
    let restriction: String
    let code: Int32

    init(_ restriction: String, _ code: Int32) {
        self.restriction = restriction
        self.code = code
    }

    var description: String {
        // Safe: strerror returns a terminated string that stays valid until the next call on this thread.
        let reason = unsafe String(cString: strerror(code))
        return "cannot confine itself (\(restriction): \(reason)); a Linux kernel with CONFIG_SECCOMP_FILTER is needed"
    }
}
