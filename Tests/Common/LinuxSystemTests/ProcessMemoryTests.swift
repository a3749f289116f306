// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import LinuxSystem
import Testing

@Suite struct ProcessMemoryTests {
    /// In a process of its own, because core files cannot be enabled again.
    @Test func nothingOfItIsForOthers() async {
        await #expect(processExitsWith: .exitCode(7)) {
            guard !ProcessMemory.isPrivate, ProcessMemory.keepPrivate(), ProcessMemory.isPrivate else { exit(1) }
            var limit = rlimit(rlim_cur: 1, rlim_max: 1)
            guard unsafe getrlimit(Int32(RLIMIT_CORE.rawValue), &limit) == 0 else { exit(2) }
            exit(limit.rlim_cur == 0 && limit.rlim_max == 0 ? 7 : 3)
        }
    }

    /// Unused pages of the program's files are released. Pages that the loader wrote or that run are kept.
    @Test func codeIsLetGo() async {
        await #expect(processExitsWith: .success) {
            let before = filePagesKiB()
            ProcessMemory.letGoOfCode()
            let after = filePagesKiB()
            guard after > 0, after < before / 2 else { exit(1) }
            // Functions of the C library and of Swift's are called through addresses that the loader wrote.
            for round in 0..<100 {
                ProcessMemory.letGoOfCode()
                guard String(round).reversed().compactMap(\.wholeNumberValue).reduce(0, +) == round / 10 + round % 10
                else { exit(2) }
            }
        }
    }
}

/// The memory that file pages of this process use.
private func filePagesKiB() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssFile:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
}
