// SPDX-License-Identifier: Apache-2.0

import CSeccomp
import Capture
import Glibc
import Patience
import Testing

@testable import ConfinedProcess
@testable import login_kiosk_scanner

/// The filter of every processor, run by a machine written in Swift. Each call is compared with a table that was
/// written independently of the list, with the numbers of the kernel's headers.
struct SystemCallFilterTests {
    typealias Verdict = FilterMachine.Verdict

    struct Case: CustomTestStringConvertible {
        let interface: KernelInterface
        let opening: AllowedCall.Opening

        var machine: FilterMachine {
            FilterMachine(
                program: SystemCallFilter.instructions(
                    AllowedCall.all(for: opening, of: process, on: interface), on: interface))
        }

        func run(_ number: UInt32, _ arguments: [UInt64] = []) throws -> Verdict {
            try machine.run(number, arguments, architecture: interface.auditNumber)
        }

        var testDescription: String { "\(opening) on \(interface)" }
    }

    static let process: pid_t = 4711
    static let cases = KernelInterface.allCases.filter(KernelHeader.exists).flatMap { interface in
        [AllowedCall.Opening.nothing, .files, .cameras].map { Case(interface: interface, opening: $0) }
    }

    /// Calls that are allowed with any arguments.
    private static let always: Set<String> = [
        "read", "write", "poll", "ppoll", "lseek", "close", "fstat", "newfstatat", "writev", "eventfd2", "brk",
        "munmap", "mremap", "futex", "getppid", "clock_nanosleep", "nanosleep", "clock_gettime", "clock_getres",
        "gettimeofday", "getrandom", "set_robust_list", "rseq", "rt_sigprocmask", "rt_sigaction", "rt_sigreturn",
        "restart_syscall", "sched_yield", "getpid", "gettid", "sysinfo", "geteuid", "exit", "exit_group",
    ]
    private static let alwaysOfFiles: Set<String> = ["getdents64"]
    private static let alwaysOfCameras: Set<String> = ["readlink", "readlinkat", "inotify_init1"]
    /// Calls whose arguments decide. Each has cases below.
    private static let sometimes: Set<String> = [
        "fcntl", "mmap", "madvise", "clone", "sched_getaffinity", "prlimit64", "tgkill",
        "setitimer",
    ]
    private static let sometimesOfFiles: Set<String> = ["openat"]
    private static let sometimesOfCameras: Set<String> = ["ioctl", "inotify_add_watch"]

    private static func opened(
        _ opening: AllowedCall.Opening, _ files: Set<String>, _ cameras: Set<String>
    ) -> Set<String> {
        switch opening {
        case .nothing: []
        case .files: files
        case .cameras: files.union(cameras)
        }
    }

    @Test(arguments: cases) func everyNumberIsDecidedByTheList(of it: Case) throws {
        let names = try KernelHeader.names(it.interface)
        let free = Self.always.union(Self.opened(it.opening, Self.alwaysOfFiles, Self.alwaysOfCameras))
        let bound = Self.sometimes.union(Self.opened(it.opening, Self.sometimesOfFiles, Self.sometimesOfCameras))
        var random = SplitMix64(seed: 41)
        for number in UInt32(0)...600 {
            let name = names[number] ?? "number \(number)"
            for _ in 0..<TestEffort.rounds(4) {
                let arguments = (0..<6).map { _ in UInt64.random(in: 0...UInt64.max, using: &random) }
                guard free.contains(name) || !bound.contains(name) else { continue }
                let wanted: FilterMachine.Verdict =
                    free.contains(name) ? .allowed : .refused(name == "clone3" ? ENOSYS : EPERM)
                // One expectation for each of 14,000 verdicts would take a minute.
                let verdict = try it.run(number, arguments)
                if verdict != wanted { Issue.record("\(name) \(arguments): \(verdict), not \(wanted)") }
            }
        }
        // The lists contain only calls of the processor, except those that only the other one has.
        let missing = free.union(bound).subtracting(names.values)
        #expect(missing.isSubset(of: it.interface == .amd64 ? [] : ["poll", "readlink"]), "\(missing)")
    }

    /// Numbers between the existing ones and the largest.
    @Test(arguments: cases) func numbersOfNoCallAreRefused(of it: Case) throws {
        for number: UInt32 in [601, 1024, 0xFFFF, 0x3FFF_FFFF] { #expect(try it.run(number) == .refused(EPERM)) }
    }

    @Test(arguments: cases) func aForeignInterfaceEndsTheProcess(of it: Case) throws {
        for architecture in KernelInterface.allCases.map(\.auditNumber) + [0x4000_0003, 0x4000_0028, 0]
        where architecture != it.interface.auditNumber {
            for number: UInt32 in 0...600 {
                let verdict = try it.machine.run(number, architecture: architecture)
                if verdict != .killed { Issue.record("\(number) of \(architecture): \(verdict)") }
            }
        }
        // x32 has its numbers above this bit. arm64 has none.
        for number: UInt32 in [0x4000_0000, 0x4000_0001, 0x4000_0200, 0xFFFF_FFFF] {
            #expect(try it.run(number) == (it.interface == .amd64 ? .killed : .refused(EPERM)))
        }
    }

    @Test(arguments: cases) func argumentsDecide(of it: Case) throws {
        let numbers = Dictionary(uniqueKeysWithValues: try KernelHeader.names(it.interface).map { ($1, $0) })
        let isCamera = it.opening == .cameras
        let opensFiles = it.opening != .nothing
        let own = UInt64(Self.process)
        let thread: UInt64 = 0x3D_0F00
        // The values of asm/fcntl.h on each processor.
        let directory: UInt64 = it.interface == .amd64 ? 0x1_0000 : 0x4000
        let direct: UInt64 = it.interface == .amd64 ? 0x4000 : 0x1_0000
        let (nonBlocking, closing): (UInt64, UInt64) = (0o4000, 0o2_000_000)
        let high: UInt64 = 1 << 32
        let table: [(call: String, arguments: [UInt64], isAllowed: Bool)] = [
            // F_GETFD, F_SETFD, F_GETFL, F_SETFL with O_NONBLOCK.
            ("fcntl", [0, 1], true), ("fcntl", [0, 2, 1], true), ("fcntl", [0, 3], true),
            ("fcntl", [0, 4, nonBlocking | 2], true),
            // O_ASYNC, O_APPEND, F_DUPFD, F_SETLK, F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY, F_ADD_SEALS.
            ("fcntl", [0, 4, 0o20000], false), ("fcntl", [0, 4, 0o2000], false), ("fcntl", [0, 0, 3], false),
            ("fcntl", [0, 6], false), ("fcntl", [0, 8, 1], false), ("fcntl", [0, 10, 9], false),
            ("fcntl", [0, 15], false), ("fcntl", [0, 1024], false), ("fcntl", [0, 1026], false),
            ("fcntl", [0, 1033], false), ("fcntl", [0, 1030], false),
            // Private memory for data, and none for code. Shared memory only for a driver's buffers, and only for
            // reading.
            ("mmap", [0, 4096, 3, 0x22], true), ("mmap", [0, 4096, 0, 0x22], true), ("mmap", [0, 4096, 1, 2], true),
            ("mmap", [0, 4096, 5, 0x22], false), ("mmap", [0, 4096, 7, 0x22], false), ("mmap", [0, 4096, 4, 1], false),
            ("mmap", [0, 4096, 1, 1], isCamera), ("mmap", [0, 4096, 3, 1], false), ("mmap", [0, 4096, 2, 1], false),
            ("mmap", [0, 4096, 1, 3], false), ("mmap", [0, 4096, 3, 0x21], false), ("mmap", [0, 4096, 5, 1], false),
            // MADV_DONTNEED, MADV_FREE, MADV_DODUMP, MADV_HWPOISON.
            ("madvise", [0, 0, 4], true), ("madvise", [0, 0, 8], true), ("madvise", [0, 0, 17], false),
            ("madvise", [0, 0, 100], false),
            // A thread; a process; a thread with its own network; one with a tracer.
            ("clone", [thread], true), ("clone", [17], false), ("clone", [0x1_0000], false), ("clone", [0], false),
            ("clone", [thread | 0x4000_0000], false), ("clone", [thread | 0x2000], false),
            ("clone", [thread | 0x200_0000], false),
            ("sched_getaffinity", [0], true), ("sched_getaffinity", [own], false), ("sched_getaffinity", [1], false),
            // Only its own limits may be asked for. An address has two halves.
            ("prlimit64", [0, 7, 0, 0x7FFF_0000], true), ("prlimit64", [own, 7, 0, 0], false),
            ("prlimit64", [1, 7, 0, 0], false), ("prlimit64", [0, 7, 0x1000, 0], false),
            ("prlimit64", [0, 7, high, 0], false), ("prlimit64", [1, 7, 0x1000, 0], false),
            ("tgkill", [own, own, 6], true), ("tgkill", [own, 5000, 6], true), ("tgkill", [1, 1, 9], false),
            ("tgkill", [0, own, 9], false), ("tgkill", [UInt64.max, own, 9], false),
            // ITIMER_PROF; ITIMER_REAL, ITIMER_VIRTUAL.
            ("setitimer", [2, 0x1000, 0], true), ("setitimer", [0, 0x1000, 0], false),
            ("setitimer", [1, 0x1000, 0], false),
            // For reading.
            ("openat", [0, 0, 0], opensFiles), ("openat", [0, 0, nonBlocking | closing], opensFiles),
            ("openat", [0, 0, nonBlocking | closing | directory], opensFiles),
            // The mode for a camera: reading and writing.
            ("openat", [0, 0, 2 | nonBlocking | closing], isCamera),
            // O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND, O_PATH, O_TMPFILE, O_DIRECT, and variants of a camera's
            // mode.
            ("openat", [0, 0, 1], false), ("openat", [0, 0, 2], false), ("openat", [0, 0, 3], false),
            ("openat", [0, 0, 0o100], false), ("openat", [0, 0, 0o1000], false), ("openat", [0, 0, 0o2000], false),
            ("openat", [0, 0, 0o10_000_000], false), ("openat", [0, 0, 0o20_000_000 | directory | 2], false),
            ("openat", [0, 0, direct], false), ("openat", [0, 0, 2 | nonBlocking | closing | 0o100], false),
            ("openat", [0, 0, 2 | nonBlocking | closing | 0o1000], false), ("openat", [0, 0, 2 | closing], false),
            // VIDIOC_DQBUF, VIDIOC_S_FMT, VIDIOC_TRY_FMT; VIDIOC_S_EDID, TIOCSTI, TIOCLINUX, EVIOCGRAB, FIOSETOWN,
            // FIOASYNC, FS_IOC_SETFLAGS, GPIO_V2_GET_LINE.
            ("ioctl", [3, 0xC058_5611], isCamera), ("ioctl", [3, 0xC0D0_5605], isCamera),
            ("ioctl", [3, 0xC0D0_5640], isCamera), ("ioctl", [3, 0xC028_5629], false), ("ioctl", [3, 0x5412], false),
            ("ioctl", [3, 0x541C], false), ("ioctl", [3, 0x4004_4590], false), ("ioctl", [3, 0x8901], false),
            ("ioctl", [3, 0x5452], false), ("ioctl", [3, 0x4008_6602], false), ("ioctl", [3, 0xC250_B407], false),
            // New files in a folder, but not reading from a keypad.
            ("inotify_add_watch", [3, 0, 0x184], isCamera), ("inotify_add_watch", [3, 0, 0xFFF], false),
            ("inotify_add_watch", [3, 0, 1], false), ("inotify_add_watch", [3, 0, 2], false),
        ]
        for (call, arguments, isAllowed) in table {
            let number = try #require(numbers[call])
            #expect(
                try it.run(number, arguments) == (isAllowed ? .allowed : .refused(EPERM)),
                "\(call) \(arguments.map { String($0, radix: 16) })")
        }
        // Every call whose arguments decide has a case.
        let bound = Self.sometimes.union(Self.sometimesOfFiles).union(Self.sometimesOfCameras)
        #expect(Set(table.map(\.call)) == bound)
    }

    /// The kernel accepts a program of 4096 instructions, with a verdict for every call.
    @Test(arguments: cases) func theKernelTakesTheProgram(of it: Case) {
        #expect(it.machine.program.count < 4096)
    }
}
