// SPDX-License-Identifier: Apache-2.0

import CSeccomp
import Glibc

extension AllowedCall {
    /// Calls that use open descriptors, memory, threads and clocks, by the numbers of asm/unistd_64.h and
    /// asm-generic/unistd.h. Frequent calls come first, because the kernel compares in this order.
    ///
    /// - Parameter process: its own number, the only one that a call may name.
    public static func computing(as process: Int32) -> [AllowedCall] { streaming + memory + threads(of: process) }

    /// Calls that open files and folders for reading.
    public static func reading(on interface: KernelInterface) -> [AllowedCall] {
        let harmless =
            UInt32(O_NONBLOCK | O_CLOEXEC | O_NOCTTY) | interface.directoryOnly | interface.noLink
            | interface.largeFile
        return [
            AllowedCall("openat", amd64: 257, arm64: 56, when: [.without(~harmless, in: 2)]),
            AllowedCall("getdents64", amd64: 217, arm64: 61),
        ]
    }

    /// The calls that read, write, wait for and close open files.
    private static var streaming: [AllowedCall] {
        [
            AllowedCall("read", amd64: 0, arm64: 63),
            AllowedCall("write", amd64: 1, arm64: 64),
            AllowedCall("poll", amd64: 7),
            AllowedCall("ppoll", amd64: 271, arm64: 73),
            AllowedCall("lseek", amd64: 8, arm64: 62),
            AllowedCall("close", amd64: 3, arm64: 57),
            AllowedCall("fstat", amd64: 5, arm64: 80),
            // With an empty path and a descriptor some versions of libc use it for fstat.
            AllowedCall("newfstatat", amd64: 262, arm64: 79),
            // A message of libc has several parts.
            AllowedCall("writev", amd64: 20, arm64: 66),
            AllowedCall("eventfd2", amd64: 290, arm64: 19),
            // Allows two commands that concern the descriptor and two that concern waiting. Others send signals and
            // take locks.
            AllowedCall(
                "fcntl", amd64: 72, arm64: 25, when: [.argument(1, is: UInt32(F_GETFD))],
                [.argument(1, is: UInt32(F_SETFD))], [.argument(1, is: UInt32(F_GETFL))],
                [.argument(1, is: UInt32(F_SETFL)), .without(~UInt32(O_ACCMODE | O_NONBLOCK), in: 2)]),
        ]
    }

    /// Memory for data: written pages never become code, and nothing is shared.
    private static var memory: [AllowedCall] {
        [
            AllowedCall("brk", amd64: 12, arm64: 214),
            AllowedCall(
                "mmap", amd64: 9, arm64: 222,
                when: [.without(UInt32(PROT_EXEC), in: 2), .without(UInt32(MAP_SHARED), in: 3)]),
            AllowedCall("munmap", amd64: 11, arm64: 215),
            AllowedCall("mremap", amd64: 25, arm64: 216),
            // Releasing pages, now or later.
            AllowedCall(
                "madvise", amd64: 28, arm64: 233, when: [.argument(2, is: UInt32(MADV_DONTNEED))],
                [.argument(2, is: UInt32(MADV_FREE))]),
        ]
    }

    /// Threads, clocks, randomness, and the end of a process.
    private static func threads(of process: Int32) -> [AllowedCall] {
        let own = UInt32(bitPattern: process)
        return [
            AllowedCall("futex", amd64: 202, arm64: 98),
            AllowedCall("getppid", amd64: 110, arm64: 173),
            // The limit on processor time. Other timers would send other signals.
            AllowedCall("setitimer", amd64: 38, arm64: 103, when: [.argument(0, is: UInt32(ITIMER_PROF.rawValue))]),
            AllowedCall("clock_nanosleep", amd64: 230, arm64: 115),
            AllowedCall("nanosleep", amd64: 35, arm64: 101),
            // The clock is usually read without the kernel.
            AllowedCall("clock_gettime", amd64: 228, arm64: 113),
            AllowedCall("clock_getres", amd64: 229, arm64: 114),
            AllowedCall("gettimeofday", amd64: 96, arm64: 169),
            AllowedCall("getrandom", amd64: 318, arm64: 278),
            AllowedCall("clone", amd64: 56, arm64: 220, when: [.argument(0, is: cseccomp_thread)]),
            AllowedCall("set_robust_list", amd64: 273, arm64: 99),
            AllowedCall("rseq", amd64: 334, arm64: 293),
            AllowedCall("rt_sigprocmask", amd64: 14, arm64: 135),
            AllowedCall("rt_sigaction", amd64: 13, arm64: 134),
            AllowedCall("rt_sigreturn", amd64: 15, arm64: 139),
            // Continues a wait after the process was stopped.
            AllowedCall("restart_syscall", amd64: 219, arm64: 128),
            AllowedCall("sched_yield", amd64: 24, arm64: 124),
            AllowedCall("getpid", amd64: 39, arm64: 172),
            AllowedCall("gettid", amd64: 186, arm64: 178),
            // The number of processors and the memory of its own process: libc asks before it sorts, and so does the
            // library that converts pictures.
            AllowedCall("sched_getaffinity", amd64: 204, arm64: 123, when: [.argument(0, is: 0)]),
            AllowedCall("sysinfo", amd64: 99, arm64: 179),
            AllowedCall("geteuid", amd64: 107, arm64: 175),
            // Reading its own limits, not setting them.
            AllowedCall(
                "prlimit64", amd64: 302, arm64: 261,
                when: [.argument(0, is: 0), .argument(2, is: 0), .upperHalf(2, is: 0)]),
            // `abort` uses these to end the process.
            AllowedCall("tgkill", amd64: 234, arm64: 131, when: [.argument(0, is: own)]),
            AllowedCall("exit", amd64: 60, arm64: 93),
            AllowedCall("exit_group", amd64: 231, arm64: 94),
        ]
    }
}
