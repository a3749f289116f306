// SPDX-License-Identifier: Apache-2.0

import Glibc
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
}
