// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import LinuxSystem
import Synchronization
import Testing

@Suite struct SystemThreadTests {
    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    @Test func isJoinedWhenItsOwnerGoes() throws {
        let ended = Flag()
        do {
            _ = try SystemThread {
                usleep(20_000)
                ended.value.store(true, ordering: .releasing)
            }
        }
        let hasEnded = ended.value.load(ordering: .acquiring)
        #expect(hasEnded)
    }

    /// In a process of its own, because the limit is the process's.
    @Test func aStackThatIsRefusedIsThrown() async {
        await #expect(processExitsWith: .success) {
            guard setSoftLimit(RLIMIT_AS, to: size(of: "VmSize:") + 4 << 20) else { exit(1) }
            for _ in 0..<8 { guard refusal() == ENOMEM else { exit(2) } }
            guard setSoftLimit(RLIMIT_AS, to: nil), refusal() == nil else { exit(3) }
        }
    }
}

/// The error by which a thread is refused; nil when there was one.
private func refusal() -> Int32? {
    do throws(SystemRefusal) {
        _ = try SystemThread {}
        return nil
    } catch { return error.code }
}

/// - Parameter bytes: nil for the hard limit.
private func setSoftLimit(_ resource: __rlimit_resource, to bytes: UInt?) -> Bool {
    var limit = rlimit()
    guard unsafe getrlimit(Int32(resource.rawValue), &limit) == 0 else { return false }
    limit.rlim_cur = bytes ?? limit.rlim_max
    return unsafe setrlimit(Int32(resource.rawValue), &limit) == 0
}

/// Bytes of the process, by a line of its status.
private func size(of line: String) -> UInt {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let words = status.split(separator: "\n").first { $0.hasPrefix(line) }?.split(whereSeparator: \.isWhitespace)
    return words.flatMap { UInt($0[1]) }.map { $0 << 10 } ?? 0
}
