// SPDX-License-Identifier: Apache-2.0

import Patience
import Capture
import LinuxSystem
import Glibc
import PictureTestKit
import Synchronization
import Testing

@testable import ConfinedProcess
@testable import login_kiosk_scanner

/// Calls that the filter refuses, made by a process with the filter. A process cannot remove the filter, so each test
/// runs in a child process. The filter covers all its threads.
@Suite(.timeLimit(.minutes(10))) struct ConfinementTests {
    /// Confines the process for a source that is a file. The whole machine may be read.
    private static func confine() throws {
        _ = try Confinement.apply(opening: .files, [FileRule(.readAndList, "/")])
    }

    @Test func theNetworkIsRefused() async {
        await #expect(processExitsWith: .success) {
            try Self.confine()
            for family in [AF_INET, AF_INET6, AF_UNIX, AF_NETLINK] {
                let status = socket(family, Int32(SOCK_STREAM.rawValue), 0)
                guard status == -1, errno == EPERM else { exit(1) }
            }
            var ends: [Int32] = [0, 0]
            guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == -1, errno == EPERM else {
                exit(2)
            }
            guard connect(0, nil, 0) == -1, errno == EPERM else { exit(3) }
            exit(0)
        }
    }

    @Test func otherProgramsAndProcessesAreRefused() async {
        await #expect(processExitsWith: .success) {
            try Self.confine()
            // An empty list is terminated by nil.
            var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
            guard unsafe execve("/bin/true", &arguments, &arguments) == -1, errno == EPERM else { exit(1) }
            guard kill(getppid(), 0) == -1, errno == EPERM else { exit(2) }
            var child = pid_t()
            guard unsafe posix_spawn(&child, "/bin/true", nil, nil, &arguments, &arguments) != 0 else { exit(3) }
            exit(0)
        }
    }

    @Test func threadsAndFilesGoOnWorking() async {
        await #expect(processExitsWith: .success) {
            try Self.confine()
            let signal = Atomic(false)
            do { _ = SystemThread.required { signal.store(true, ordering: .releasing) } }
            guard signal.load(ordering: .acquiring) else { exit(1) }
            let file = unsafe open("/proc/self/status", O_RDONLY)
            guard file >= 0 else { exit(3) }
            exit(0)
        }
    }

    @Test(.enabled(if: FileFilter.version != nil, "this kernel has no Landlock"))
    func filesThatAreNotTheSourceAreRefused() async {
        await #expect(processExitsWith: .success) {
            let rules = [FileRule(.readAndList, "/usr/share"), FileRule(.list, "/usr")]
            guard try Confinement.apply(opening: .files, rules) else { exit(1) }
            for path in ["/etc/passwd", "/proc/self/status", "/proc/\(getppid())/environ", "/dev/null", "/usr/bin/env"]
            {
                guard unsafe open(path, O_RDONLY) == -1, errno == EACCES else { exit(2) }
            }
            guard unsafe open("/etc", O_RDONLY | O_DIRECTORY) == -1, errno == EACCES else { exit(3) }
            guard unsafe open("/tmp/x", O_WRONLY | O_CREAT, 0o600) == -1, errno == EPERM else { exit(4) }
            guard unsafe open("/usr/share", O_RDONLY | O_DIRECTORY) >= 0 else { exit(5) }
            guard unsafe open("/usr/bin", O_RDONLY | O_DIRECTORY) >= 0 else { exit(6) }
            exit(0)
        }
    }

    @Test func aTerminalIsNotTypedInto() async {
        await #expect(processExitsWith: .success) {
            var (parent, child) = (Int32(), Int32())
            guard unsafe openpty(&parent, &child, nil, nil, nil) == 0 else { exit(1) }
            guard setsid() >= 0, ioctl(child, UInt(TIOCSCTTY), 0) == 0 else { exit(2) }
            try Self.confine()
            var key = CChar(10)
            guard unsafe ioctl(child, UInt(TIOCSTI), &key) == -1, errno == EPERM else { exit(3) }
            // Requests are refused as well.
            var size: (UInt16, UInt16, UInt16, UInt16) = (0, 0, 0, 0)
            guard unsafe ioctl(child, UInt(TIOCGWINSZ), &size) == -1, errno == EPERM else { exit(4) }
            exit(0)
        }
    }

    /// The memory that a crash writes to disk, and that other programs of the same user or a debugger could read.
    @Test func itsMemoryIsItsOwn() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            guard !ProcessMemory.isPrivate else { exit(1) }
            try Self.confine()
            // The runtime must still be able to end a process with an error.
            abort()
        }
        await #expect(processExitsWith: .exitCode(3)) {
            // The filter does not allow asking the kernel.
            guard ProcessMemory.keepPrivate(), ProcessMemory.isPrivate else { exit(1) }
            try Self.confine()
            exit(ProcessMemory.isPrivate ? 2 : 3)
        }
    }

    @Test func aFrameThatTakesTooLongEndsTheProcess() async {
        await #expect(processExitsWith: .exitCode(EX_SOFTWARE)) {
            ProcessorLimit.prepare()
            try Self.confine()
            // One that is not over yet does not count.
            ProcessorLimit.set(1)
            ProcessorLimit.set(0)
            ProcessorLimit.set(1)
            var sum: UInt64 = 0
            while sum != 1 { sum = sum &+ 2 }
        }
    }

    /// A parent's thread that ends is not the parent's end.
    @Test func onlyTheParentsEndLimitsItsChild() async {
        await #expect(processExitsWith: .exitCode(3)) {
            ProcessorLimit.prepare()
            guard ParentWatch.begin() else { exit(1) }
            try Self.confine()
            raise(SIGHUP)
            var end = timespec()
            unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end)
            end.tv_sec += 2
            while true {
                var now = timespec()
                unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
                if now.tv_sec >= end.tv_sec { exit(3) }
            }
        }
    }

    @Test func aSourceNeedsItsOwnFilesOnly() throws {
        let folder = try TemporaryFolder.made()
        let file = try folder.write([1], to: "a.png")
        let nodes = VideoNodes()
        for (source, rules) in [
            ("file:\(file)", [FileRule(.read, file)]), ("dir:\(folder.path)", [FileRule(.readAndList, folder.path)]),
            (folder.path, [FileRule(.readAndList, folder.path)]), ("y4m:\(file)", [FileRule(.read, file)]),
            ("y4m:fd/3", []), ("/nowhere", [FileRule(.read, "/nowhere")]),
            (
                "camera:Door",
                [FileRule(.list, "/dev"), FileRule(.read, "/sys/devices")] + nodes.paths.map { FileRule(.device, $0) }
            ),
        ] {
            #expect(FileRule.rules(for: try SourceSpecification(source), nodes) == rules, "\(source)")
        }
    }
}
