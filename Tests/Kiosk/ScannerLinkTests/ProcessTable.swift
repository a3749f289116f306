// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience

/// The processes of the machine.
enum ProcessTable {
    /// The children of this process with a text in their command line.
    static func children(with text: String) -> [pid_t] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { pid_t($0) }.filter { pid in
            guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
                let line = try? String(contentsOfFile: "/proc/\(pid)/cmdline", encoding: .utf8)
            else { return false }
            return status.contains("PPid:\t\(getpid())\n") && line.contains(text)
        }
    }

    /// Waits for a child with a text in its command line.
    ///
    /// - Parameter old: an earlier child that does not count.
    static func child(with text: String, after old: pid_t? = nil) async throws -> pid_t {
        let child = try await Patience.wait(every: .milliseconds(5)) {
            children(with: text).first { $0 != old }
        }
        guard let child else { throw NoChild() }
        return child
    }

    struct NoChild: Error {}

    /// Whether there is such a process, including a dead one that nobody has waited for.
    static func has(_ pid: pid_t) -> Bool { kill(pid, 0) == 0 }
}
