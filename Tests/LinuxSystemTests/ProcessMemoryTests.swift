// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Testing

@Suite struct ProcessMemoryTests {
    /// In a process of its own, because no process gets its core files back.
    @Test func nothingOfItIsForOthers() async {
        await #expect(processExitsWith: .exitCode(7)) {
            guard !ProcessMemory.isPrivate, ProcessMemory.keepPrivate(), ProcessMemory.isPrivate else { exit(1) }
            var limit = rlimit(rlim_cur: 1, rlim_max: 1)
            guard unsafe getrlimit(Int32(RLIMIT_CORE.rawValue), &limit) == 0 else { exit(2) }
            exit(limit.rlim_cur == 0 && limit.rlim_max == 0 ? 7 : 3)
        }
    }
}
