// SPDX-License-Identifier: Apache-2.0

import CSeccomp
import Glibc

/// What the process gives up before it reads its first byte, while it has a single thread. All of it is inherited by
/// later threads, and none can be taken back.
enum Confinement {
    static func apply() throws(ConfinementError) {
        // The runtime may have been told to print a backtrace when a fatal signal comes, by starting another program. That
        // is refused below, so let the signals do what they always did: end the process.
        for fatal in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] { signal(fatal, SIG_DFL) }
        guard cseccomp_no_new_privileges() == 0 else { throw ConfinementError("no_new_privs", errno) }
        // No picture, and no code in it, is written to a disk by a crash.
        try limit(RLIMIT_CORE, to: 0)
        // No plain file can grow.
        try limit(RLIMIT_FSIZE, to: 0)
        // Above what the largest frame needs (8192 x 8192 several times), below what harms the machine.
        try limit(RLIMIT_AS, to: 1 << 30)
        try limit(RLIMIT_NOFILE, to: 64)
        // There is no limit on processor time: it counts over the whole life, so that it would end a healthy scanner
        // some day. A scanner that hangs misses its statistics, and the parent ends it.
        try SystemCallFilter.install()
    }

    private static func limit(_ resource: __rlimit_resource, to value: rlim_t) throws(ConfinementError) {
        var limit = rlimit(rlim_cur: value, rlim_max: value)
        // Safe: the structure is read during the call.
        guard unsafe setrlimit(Int32(resource.rawValue), &limit) == 0 else {
            throw ConfinementError("resource limit \(resource.rawValue)", errno)
        }
    }
}
