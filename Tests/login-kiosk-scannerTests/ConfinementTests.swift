// SPDX-License-Identifier: Apache-2.0

import Capture
import Glibc
import PictureTestKit
import Testing

@testable import login_kiosk_scanner

/// What the filter refuses, asked for by a process that has it. A test process cannot take it off again, so each question
/// is put by a child of its own.
@Suite(.timeLimit(.minutes(1))) struct ConfinementTests {
    @Test func theNetworkIsRefused() async {
        await #expect(processExitsWith: .success) {
            try Confinement.apply()
            for family in [AF_INET, AF_INET6, AF_UNIX, AF_NETLINK] {
                let status = socket(family, Int32(SOCK_STREAM.rawValue), 0)
                guard status == -1, errno == EPERM else { exit(1) }
            }
            var ends: [Int32] = [0, 0]
            guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == -1, errno == EPERM else {
                exit(2)
            }
            guard connect(0, nil, 0) == -1, errno == EPERM else { exit(3) }
        }
    }

    @Test func otherProgramsAndProcessesAreRefused() async {
        await #expect(processExitsWith: .success) {
            try Confinement.apply()
            // An empty list is terminated by nil.
            var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
            guard unsafe execve("/bin/true", &arguments, &arguments) == -1, errno == EPERM else { exit(1) }
            guard kill(getppid(), 0) == -1, errno == EPERM else { exit(2) }
            var child = pid_t()
            guard unsafe posix_spawn(&child, "/bin/true", nil, nil, &arguments, &arguments) != 0 else { exit(3) }
        }
    }

    @Test func threadsAndFilesGoOnWorking() async {
        await #expect(processExitsWith: .success) {
            try Confinement.apply()
            var thread = pthread_t()
            guard unsafe pthread_create(&thread, nil, { _ in nil }, nil) == 0 else { exit(1) }
            guard pthread_join(thread, nil) == 0 else { exit(2) }
            let file = unsafe open("/proc/self/status", O_RDONLY)
            guard file >= 0 else { exit(3) }
        }
    }

    @Test(.enabled(if: FileFilter.version != nil, "this kernel has no Landlock"))
    func filesThatAreNotTheSourceAreRefused() async {
        await #expect(processExitsWith: .success) {
            try Confinement.apply()
            guard try FileFilter.install([FileRule(.readAndList, "/usr/share"), FileRule(.list, "/usr")]) else {
                exit(1)
            }
            for path in ["/etc/passwd", "/proc/self/status", "/proc/\(getppid())/environ", "/dev/null", "/usr/bin/env"]
            {
                guard unsafe open(path, O_RDONLY) == -1, errno == EACCES else { exit(2) }
            }
            guard unsafe open("/etc", O_RDONLY | O_DIRECTORY) == -1, errno == EACCES else { exit(3) }
            guard unsafe open("/tmp/x", O_WRONLY | O_CREAT, 0o600) == -1, errno == EACCES else { exit(4) }
            guard unsafe open("/usr/share", O_RDONLY | O_DIRECTORY) >= 0 else { exit(5) }
            guard unsafe open("/usr/bin", O_RDONLY | O_DIRECTORY) >= 0 else { exit(6) }
        }
    }

    @Test func aTerminalIsNotTypedInto() async {
        await #expect(processExitsWith: .success) {
            var (parent, child) = (Int32(), Int32())
            guard unsafe openpty(&parent, &child, nil, nil, nil) == 0 else { exit(1) }
            guard setsid() >= 0, ioctl(child, UInt(TIOCSCTTY), 0) == 0 else { exit(2) }
            try Confinement.apply()
            var key = CChar(10)
            guard unsafe ioctl(child, UInt(TIOCSTI), &key) == -1, errno == EPERM else { exit(3) }
            // Others still work.
            var size: (UInt16, UInt16, UInt16, UInt16) = (0, 0, 0, 0)
            guard unsafe ioctl(child, UInt(TIOCGWINSZ), &size) == 0 else { exit(4) }
        }
    }

    @Test func aSourceNeedsItsOwnFilesOnly() throws {
        let folder = try TemporaryFolder()
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
